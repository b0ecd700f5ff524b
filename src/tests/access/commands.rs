//! `flagdeck user …`, also while a server runs on the same database.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{PASSWORD, Place, USER, cookie, get, sign_in, signed_in};

/// What a command that is to fail says, which has to be one sentence.
fn refused(place: &Place, arguments: &[&str], input: &str) -> String {
    let output = place.run(arguments, input);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    said
}

#[test]
fn users_are_added_with_nothing_but_what_is_asked_for() {
    let place = Place::new();
    let add =
        |arguments: &[&str]| place.say(&[&["user", "add"], arguments].concat(), &format!("{PASSWORD}\n"));
    assert_eq!(add(&["anna"]), "anna was added and may see everything and change nothing\n");
    assert_eq!(add(&["bert", "--admin"]), "bert was added and may do everything (ADMIN)\n");
    let some = ["carl", "--email", "carl@example.com", "--permission", "CREATE_TAG,UPDATE_FEATURE"];
    assert_eq!(add(&some), "carl was added and may see everything and CREATE_TAG, UPDATE_FEATURE\n");
    assert_eq!(
        place.say(&["user", "list"], ""),
        "anna may see everything and change nothing\n\
         bert may do everything (ADMIN)\n\
         carl <carl@example.com> may see everything and CREATE_TAG, UPDATE_FEATURE\n"
    );
}

#[test]
fn what_cannot_be_a_user_is_refused_with_the_reason() {
    let place = Place::new();
    place.add("anna", &["--email", "anna@example.com"]);
    for (arguments, password, reason) in [
        (&["user", "add", "ANNA"][..], PASSWORD, "A user named ANNA already exists"),
        (&["user", "add", "a b"], PASSWORD, "\"a b\" cannot be a user name"),
        (&["user", "add", "bert", "--email", "x"], PASSWORD, "\"x\" is not an email address"),
        (&["user", "add", "bert", "--email", "Anna@example.com"], PASSWORD, "Another user has the email"),
        (&["user", "add", "bert"], "1234567", "too short"),
        (&["user", "add", "bert"], "", "too short"),
        (&["user", "add", "bert"], &"x".repeat(2000), "too long"),
        (&["user", "passwd", "anna"], "1234567", "too short"),
        (&["user", "passwd", "bert"], PASSWORD, "There is no user bert"),
        (&["user", "grant", "bert", "ADMIN"], "", "There is no user bert"),
        (&["user", "revoke", "bert", "ADMIN"], "", "There is no user bert"),
        (&["user", "remove", "bert"], "", "There is no user bert"),
    ] {
        let said = refused(&place, arguments, password);
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    assert_eq!(place.say(&["user", "list"], "").lines().count(), 1);
}

#[test]
fn an_unknown_permission_is_answered_with_the_known_ones() {
    let place = Place::new();
    let output = place.run(&["user", "add", "anna", "--permission", "FLY"], PASSWORD);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    for name in ["FLY", "ADMIN", "CREATE_CONTEXT_FIELD", "DELETE_ADDON", "UPDATE_TAG_TYPE"] {
        assert!(said.contains(name), "{name} is not in {said}");
    }
}

#[test]
fn commands_other_than_add_want_a_database() {
    let place = Place::new();
    assert!(refused(&place, &["user", "list"], "").contains("there is no database"));
    assert!(refused(&place, &["user", "list", "--demo"], "").contains("demo"));
}

#[test]
fn a_database_holds_no_password() {
    let place = Place::new();
    place.add("anna", &[]);
    let bytes = std::fs::read(place.data()).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("$argon2id$") && !holds(PASSWORD));
}

#[actix_web::test]
async fn what_commands_do_holds_for_a_running_server_from_the_next_call_on() {
    let place = Place::new();
    let app = place.start_with_passwords().await;
    place.add("anna", &[]);
    let session = signed_in(&app, "anna").await;
    let permissions = async || get(&app, &session, USER).await.json()["permissions"].take();
    assert_eq!(permissions().await, json!([]));
    place.say(&["user", "grant", "anna", "UPDATE_FEATURE", "CREATE_FEATURE"], "");
    place.say(&["user", "grant", "anna", "UPDATE_FEATURE"], "");
    assert_eq!(permissions().await, json!(["CREATE_FEATURE", "UPDATE_FEATURE"]));
    place.say(&["user", "revoke", "anna", "CREATE_FEATURE", "DELETE_FEATURE"], "");
    assert_eq!(permissions().await, json!(["UPDATE_FEATURE"]));

    let said = place.say(&["user", "passwd", "anna"], "another horse\r\n");
    assert!(said.contains("signed out everywhere"), "{said}");
    assert_eq!(get(&app, &session, USER).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(sign_in(&app, "anna", PASSWORD).await.status, StatusCode::BAD_REQUEST);
    let session = cookie(&sign_in(&app, "anna", "another horse").await);
    place.say(&["user", "remove", "anna"], "");
    assert_eq!(get(&app, &session, USER).await.status, StatusCode::UNAUTHORIZED);
    place.add("anna", &["--admin"]);
    assert_eq!(
        get(&app, &session, USER).await.status,
        StatusCode::UNAUTHORIZED,
        "another person of that name"
    );
}
