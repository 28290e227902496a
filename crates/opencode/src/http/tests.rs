use super::*;

#[test]
fn a_path_is_escaped() {
    assert_eq!(path(&["global", "health"], &[]), "/global/health");
    assert_eq!(
        path(&["permission", "per_1/../x", "reply"], &[("directory", "/home/a b/жук&c"), ("x[y]", "1")]),
        "/permission/per_1%2F..%2Fx/reply?directory=%2Fhome%2Fa%20b%2F%D0%B6%D1%83%D0%BA%26c&x%5By%5D=1"
    );
}

#[test]
fn a_password_is_not_shown() {
    let credentials = Credentials { username: "me".to_owned(), password: "hunter2".to_owned() };
    assert!(!format!("{credentials:?}").contains("hunter2"));
}
