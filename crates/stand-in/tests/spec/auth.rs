//! The password.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gavel_stand_in::Options;

use crate::client::{http, start_with};

#[tokio::test]
async fn with_a_password_nothing_is_open() {
    let stand_in = start_with(Options { password: Some("pw1".to_owned()), ..Options::default() }).await;
    let http = http().build().unwrap();
    let token = |pair: &str| STANDARD.encode(pair);
    let good = token("opencode:pw1");
    for (path, authorization, status) in [
        ("/global/health".to_owned(), None, 401),
        ("/global/event".to_owned(), None, 401),
        ("/permission".to_owned(), None, 401),
        ("/".to_owned(), None, 401),
        ("/permission?token=pw1".to_owned(), None, 401),
        ("/permission".to_owned(), Some(format!("Basic {}", token("opencode:wrong"))), 401),
        ("/permission".to_owned(), Some(format!("Basic {}", token("other:pw1"))), 401),
        ("/permission".to_owned(), Some(format!("Basic {}", token(":pw1"))), 401),
        ("/permission".to_owned(), Some("Bearer pw1".to_owned()), 401),
        ("/global/health".to_owned(), Some(format!("Basic {good}")), 200),
        ("/global/event".to_owned(), Some(format!("basic {good}")), 200),
        (format!("/permission?auth_token={good}"), None, 200),
    ] {
        let mut request = http.get(format!("{}{path}", stand_in.url()));
        if let Some(authorization) = &authorization {
            request = request.header("authorization", authorization);
        }
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), status, "{path} with {authorization:?}");
        if status == 401 {
            assert_eq!(answer.headers()["www-authenticate"], "Basic realm=\"Secure Area\"");
            assert_eq!(answer.text().await.unwrap(), "", "{path}");
        }
    }
    let answer = http.get(format!("{}/api/health", stand_in.url())).send().await.unwrap();
    assert_eq!(answer.status(), 401);
    assert_eq!(
        answer.text().await.unwrap(),
        "{\"_tag\":\"UnauthorizedError\",\"message\":\"Authentication required\"}"
    );
}
