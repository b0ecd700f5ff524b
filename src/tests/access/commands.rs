//! The command `flagdeck user`, also while a server runs on the same database.

use actix_web::http::StatusCode;
use serde_json::json;

use super::{Installation, PASSWORD, USER, cookie, get, sign_in, signed_in};
use crate::support::engine::skips_file_tests;

/// Runs a command that must fail, and returns its error, which must be one line.
fn run_failing(installation: &Installation, arguments: &[&str], input: &str) -> String {
    let output = installation.run(arguments, input);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
    assert_eq!(said.lines().count(), 1, "{arguments:?}: {said}");
    said
}

#[test]
fn new_users_have_only_the_given_permissions() {
    let installation = Installation::new();
    let add = |arguments: &[&str]| {
        installation.run_ok(&[&["user", "add"], arguments].concat(), &format!("{PASSWORD}\n"))
    };
    assert_eq!(add(&["anna"]), "anna was added and has read access and no permissions\n");
    assert_eq!(add(&["bert", "--admin"]), "bert was added and has all permissions (ADMIN)\n");
    let some = ["carl", "--email", "carl@example.com", "--permission", "CREATE_TAG,UPDATE_FEATURE"];
    assert_eq!(
        add(&some),
        "carl was added and has read access and the permissions CREATE_TAG, UPDATE_FEATURE\n"
    );
    assert_eq!(
        installation.run_ok(&["user", "list"], ""),
        "anna has read access and no permissions\n\
         bert has all permissions (ADMIN)\n\
         carl <carl@example.com> has read access and the permissions CREATE_TAG, UPDATE_FEATURE\n"
    );
}

#[test]
fn rejects_invalid_users_with_a_reason() {
    let installation = Installation::new();
    installation.add("anna", &["--email", "anna@example.com"]);
    installation.add("carl@example.com", &["--email", "carl@example.org"]);
    for (arguments, password, reason) in [
        (&["user", "add", "ANNA"][..], PASSWORD, "A user named ANNA already exists"),
        (&["user", "add", "a b"], PASSWORD, "\"a b\" cannot be a user name"),
        (&["user", "add", "bert", "--email", "x"], PASSWORD, "\"x\" is not an email address"),
        (&["user", "add", "bert", "--email", "Anna@example.com"], PASSWORD, "Another user has the email"),
        (&["user", "add", "Anna@example.com"], PASSWORD, "Another user has the email Anna@example.com"),
        (
            &["user", "add", "bert", "--email", "CARL@example.com"],
            PASSWORD,
            "Another user is named CARL@example.com",
        ),
        (&["user", "add", "bert"], "1234567", "too short"),
        (&["user", "add", "bert"], "", "too short"),
        (&["user", "add", "bert"], &"x".repeat(2000), "too long"),
        (&["user", "passwd", "anna"], "1234567", "too short"),
        (&["user", "passwd", "bert"], PASSWORD, "There is no user named bert"),
        (&["user", "grant", "bert", "ADMIN"], "", "There is no user named bert"),
        (&["user", "revoke", "bert", "ADMIN"], "", "There is no user named bert"),
        (&["user", "remove", "bert"], "", "There is no user named bert"),
    ] {
        let said = run_failing(&installation, arguments, password);
        assert!(said.contains(reason), "{arguments:?}: {said}");
    }
    assert_eq!(installation.run_ok(&["user", "list"], "").lines().count(), 2);
}

/// Names and email addresses are both names of authors in the history.
#[test]
fn concurrent_commands_add_no_user_with_the_name_of_another_one() {
    let installation = Installation::new();
    for round in 0..4 {
        let (email, bert) = (format!("anna{round}@example.com"), format!("bert{round}"));
        let commands = [vec!["user", "add", &email], vec!["user", "add", &bert, "--email", &email]];
        let added: Vec<_> = std::thread::scope(|scope| {
            let run = |arguments: Vec<&str>| installation.run(&arguments, &format!("{PASSWORD}\n"));
            let threads: Vec<_> =
                commands.into_iter().map(|arguments| scope.spawn(move || run(arguments))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let refused: Vec<_> = added.iter().filter(|output| !output.status.success()).collect();
        assert_eq!(refused.len(), 1, "{added:?}");
    }
    assert_eq!(installation.run_ok(&["user", "list"], "").lines().count(), 4);
}

#[test]
fn unknown_permission_error_lists_the_known_ones() {
    let installation = Installation::new();
    let output = installation.run(&["user", "add", "anna", "--permission", "FLY"], PASSWORD);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(64), "{said}");
    for name in ["FLY", "ADMIN", "CREATE_CONTEXT_FIELD", "DELETE_ADDON", "UPDATE_TAG_TYPE"] {
        assert!(said.contains(name), "{name} is not in {said}");
    }
}

#[test]
fn user_commands_except_add_need_a_database() {
    if skips_file_tests() {
        return;
    }
    let installation = Installation::new();
    assert!(run_failing(&installation, &["user", "list"], "").contains("there is no database"));
    assert!(run_failing(&installation, &["user", "list", "--demo"], "").contains("demo"));
}

#[test]
fn database_contains_no_plain_password() {
    if skips_file_tests() {
        return;
    }
    let installation = Installation::new();
    installation.add("anna", &[]);
    let bytes = std::fs::read(installation.data()).unwrap();
    let holds = |text: &str| bytes.windows(text.len()).any(|window| window == text.as_bytes());
    assert!(holds("$argon2id$") && !holds(PASSWORD));
}

#[actix_web::test]
async fn user_commands_take_effect_on_the_next_request() {
    let installation = Installation::new();
    let app = installation.start_with_passwords().await;
    installation.add("anna", &[]);
    let session = signed_in(&app, "anna").await;
    let permissions = async || get(&app, &session, USER).await.json()["permissions"].take();
    assert_eq!(permissions().await, json!([]));
    installation.run_ok(&["user", "grant", "anna", "UPDATE_FEATURE", "CREATE_FEATURE"], "");
    installation.run_ok(&["user", "grant", "anna", "UPDATE_FEATURE"], "");
    assert_eq!(permissions().await, json!(["CREATE_FEATURE", "UPDATE_FEATURE"]));
    installation.run_ok(&["user", "revoke", "anna", "CREATE_FEATURE", "DELETE_FEATURE"], "");
    assert_eq!(permissions().await, json!(["UPDATE_FEATURE"]));

    let said = installation.run_ok(&["user", "passwd", "anna"], "another horse\r\n");
    assert!(said.contains("signed out everywhere"), "{said}");
    assert_eq!(get(&app, &session, USER).await.status, StatusCode::UNAUTHORIZED);
    assert_eq!(sign_in(&app, "anna", PASSWORD).await.status, StatusCode::BAD_REQUEST);
    let session = cookie(&sign_in(&app, "anna", "another horse").await);
    installation.run_ok(&["user", "remove", "anna"], "");
    assert_eq!(get(&app, &session, USER).await.status, StatusCode::UNAUTHORIZED);
    installation.add("anna", &["--admin"]);
    assert_eq!(
        get(&app, &session, USER).await.status,
        StatusCode::UNAUTHORIZED,
        "a new user with the same name"
    );
}
