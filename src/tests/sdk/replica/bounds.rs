//! Unknown tokens neither displace copies nor multiply the requests to the upstream.

use actix_web::http::{Method, StatusCode};

use super::{NEVER, PATH, read, start};
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

#[actix_web::test]
async fn queries_of_one_token_are_limited() {
    let api = ClientApi::start(&["a"]).await;
    let app = start(&api, NEVER, &[]).await;
    let mut statuses = Vec::new();
    for number in 0..40 {
        let path = format!("{PATH}?namePrefix={number}");
        statuses.push(app.send(Method::GET, &path, &[("authorization", "a")], "").await.status.as_u16());
    }
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 32, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 8, "{statuses:?}");
    let path = format!("{PATH}?namePrefix=1&random=2");
    assert_eq!(app.send(Method::GET, &path, &[("authorization", "a")], "").await.status, StatusCode::OK);
    assert_eq!(api.reads(), 32);
}
