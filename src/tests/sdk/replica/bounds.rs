//! Unknown tokens neither displace copies nor multiply the requests to the upstream.

use actix_web::http::{Method, StatusCode};

use super::{NEVER, PATH, read, start};
use crate::support::app::TestApp;
use crate::support::client_api::{ClientApi, body_of};

#[actix_web::test]
async fn unknown_tokens_of_one_client_are_limited() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &[]).await;
    read(&app, "a").await;
    let mut refused = 0;
    for number in 0..150 {
        let response = read(&app, &format!("unknown-{number}")).await;
        if response.status == StatusCode::TOO_MANY_REQUESTS {
            assert_eq!(response.json()["code"], "too_many_tokens");
            assert!(!response.header("retry-after").is_empty());
            refused += 1;
        } else {
            assert_eq!(response.status, StatusCode::UNAUTHORIZED);
        }
    }
    assert_eq!((refused, api.reads()), (50, 101));
    assert_eq!(read(&app, "a").await.body, body_of("a", 1));
    assert_eq!(api.reads(), 101);
}

/// Reads toggles as a client with this address, behind a trusted proxy.
async fn read_from(app: &TestApp, address: &str, token: &str, query: &str) -> StatusCode {
    let headers = [("authorization", token), ("x-forwarded-for", address)];
    app.send(Method::GET, &format!("{PATH}?{query}"), &headers, "").await.status
}

#[actix_web::test]
async fn unknown_tokens_of_one_network_leave_places_for_others() {
    let api = ClientApi::start(&["a", "b"]).await;
    let app = start(&api, NEVER, &["--trusted-proxy", "127.0.0.1"]).await;
    assert_eq!(read_from(&app, "2001:db8::1", "a", "").await, StatusCode::OK);
    for number in 0..110 {
        let status =
            read_from(&app, &format!("2001:db8::{number:x}"), &format!("unknown-{number}"), "").await;
        let expected = if number < 100 { StatusCode::UNAUTHORIZED } else { StatusCode::TOO_MANY_REQUESTS };
        assert_eq!(status, expected, "{number}");
    }
    assert_eq!(read_from(&app, "2001:db8::ffff:1", "b", "").await, StatusCode::TOO_MANY_REQUESTS);
    for address in ["2001:db8:0:1::1", "192.0.2.1"] {
        assert_eq!(read_from(&app, address, "unknown", "").await, StatusCode::UNAUTHORIZED, "{address}");
    }
    assert_eq!(read_from(&app, "192.0.2.2", "b", "").await, StatusCode::OK);
    for token in ["a", "b"] {
        let status = read_from(&app, "2001:db8::2", token, "namePrefix=new").await;
        assert_eq!(status, StatusCode::OK, "the upstream has accepted the token {token}");
    }
}

#[actix_web::test]
async fn clients_with_the_token_of_the_settings_do_not_displace_each_other() {
    let api = ClientApi::start(&["own"]).await;
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "own").unwrap();
    let header = format!("Authorization=@{}", file.path().display());
    let own = ["--trusted-proxy", "127.0.0.1", "--upstream-header", &header];
    let app = start(&api, NEVER, &own).await;
    assert_eq!(read_from(&app, "192.0.2.1", "", "namePrefix=first").await, StatusCode::OK);
    for number in 0..300 {
        let status = read_from(&app, "192.0.2.2", "", &format!("namePrefix={number}")).await;
        assert_eq!(status, StatusCode::OK, "{number}");
    }
    let before = api.reads();
    assert_eq!(read_from(&app, "192.0.2.1", "", "namePrefix=first").await, StatusCode::OK);
    assert_eq!(api.reads(), before, "the copy of the other client remains");
    assert_eq!(read_from(&app, "192.0.2.3", "", "namePrefix=new").await, StatusCode::OK);
}

#[actix_web::test]
async fn accepted_token_keeps_its_place_after_a_restart() {
    let (api, folder) = (ClientApi::start(&["a", "b"]).await, tempfile::tempdir().unwrap());
    let data = folder.path().join("flagdeck.db");
    let arguments = ["--admin-listen", "0", "--data", data.to_str().unwrap()];
    let app = start(&api, NEVER, &arguments).await;
    assert_eq!(read(&app, "a").await.status, StatusCode::OK);
    // The database then contains no copy of the token.
    api.set_down(true);
    let admin = TestApp::at(app.admin_port.unwrap());
    assert_eq!(admin.send(Method::DELETE, "/replica", &[], "").await.status, StatusCode::OK);
    app.stop().await;
    api.set_down(false);
    let app = start(&api, NEVER, &arguments).await;
    for number in 0..110 {
        read(&app, &format!("unknown-{number}")).await;
    }
    assert_eq!(read(&app, "b").await.status, StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(read(&app, "a").await.body, body_of("a", 1));
}

#[actix_web::test]
async fn new_queries_of_a_token_replace_its_least_recently_used_ones() {
    let api = ClientApi::start(&["a", "b"]).await;
    let app = start(&api, NEVER, &[]).await;
    let read_query = async |query: &str| {
        let path = format!("{PATH}?{query}");
        assert_eq!(
            app.send(Method::GET, &path, &[("authorization", "a")], "").await.status,
            StatusCode::OK,
            "{query}"
        );
        api.reads()
    };
    read(&app, "b").await;
    for number in 0..300 {
        read_query(&format!("namePrefix={number}")).await;
    }
    assert_eq!(api.reads(), 301);
    assert_eq!(read_query("namePrefix=299&random=2").await, 301, "the copy remains");
    assert_eq!(read_query("namePrefix=0").await, 302, "the copy was replaced");
    read(&app, "b").await;
    assert_eq!(api.reads(), 302, "other tokens keep their copies");
}

#[actix_web::test]
async fn tokens_that_fill_the_cache_make_room_for_another() {
    let fillers = ["w", "x", "y", "z"];
    let api = ClientApi::start(&[&fillers[..], &["a"]].concat()).await;
    let app = start(&api, NEVER, &[]).await;
    for token in fillers {
        for number in 0..250 {
            assert_eq!(
                read_from(&app, "192.0.2.1", token, &format!("namePrefix={number}")).await,
                StatusCode::OK
            );
        }
    }
    assert_eq!(read(&app, "a").await.body, body_of("a", 1), "the cache contains 1,000 copies");
    let of_filler = read_from(&app, "192.0.2.1", "w", "namePrefix=new").await;
    assert_eq!(of_filler, StatusCode::SERVICE_UNAVAILABLE, "a token with many copies displaces no others");
    let before = api.reads();
    assert_eq!(read(&app, "a").await.body, body_of("a", 1));
    assert_eq!(api.reads(), before, "the copy remains");
}
