use serde_json::json;

use super::*;

fn server(text: &str) -> Option<String> {
    parse(text).map(|registration| registration.server.0)
}

#[test]
fn reads_what_a_service_writes() {
    let written = json!({ "id": "0b6c", "version": "2.1.2", "url": "http://localhost:49374/", "pid": 4242,
        "password": "hunter2", "more": [1] });
    let expected = Registration {
        server: ServerId::from("http://127.0.0.1:49374"),
        pid: 4242,
        start: Some("0b6c".to_owned()),
        version: Some("2.1.2".to_owned()),
        credentials: Some(Credentials { username: "opencode".to_owned(), password: "hunter2".to_owned() }),
    };
    assert_eq!(parse(&written.to_string()), Some(expected));
    let least = Registration {
        server: ServerId::from("http://127.0.0.1:1"),
        pid: 1,
        start: None,
        version: None,
        credentials: None,
    };
    for text in [
        r#"{"url":"http://127.0.0.1:1","pid":1}"#,
        r#"{"url":"http://127.0.0.1:1","pid":1,"id":null,"version":null,"password":null}"#,
        r#"{"url":"http://127.0.0.1:1","pid":1,"id":[],"version":2,"password":{"a":1}}"#,
        r#"{"url":"http://127.0.0.1:1","pid":1,"password":""}"#,
    ] {
        assert_eq!(parse(text), Some(least.clone()), "{text}");
    }
}

#[test]
fn leaves_out_what_is_no_registration() {
    let cases = [
        "",
        "null",
        "[]",
        "{}",
        r#"{"url":"http://127.0.0.1:1"}"#,
        r#"{"pid":1}"#,
        r#"{"url":1,"pid":1}"#,
        r#"{"url":null,"pid":1}"#,
        r#"{"url":"http://127.0.0.1:1","pid":"1"}"#,
        r#"{"url":"http://127.0.0.1:1","pid":1.5}"#,
        r#"{"url":"http://127.0.0.1:1","pid":-1}"#,
        r#"{"url":"http://127.0.0.1:1","pid":1"#,
        r#"{"url":"http://127.0.0.1:1","pid":1} and more"#,
    ];
    for text in cases {
        assert_eq!(server(text), None, "{text}");
    }
    assert_eq!(server(&"[".repeat(60_000)), None, "deep");
}

#[test]
fn no_password_leaves_this_machine() {
    let cases = [
        ("http://127.0.0.1:49374", Some("http://127.0.0.1:49374")),
        ("https://127.9.9.9:1", Some("https://127.9.9.9:1")),
        ("http://[::1]:49374", Some("http://[::1]:49374")),
        ("http://localhost:49374", Some("http://127.0.0.1:49374")),
        ("http://0.0.0.0:49374", Some("http://127.0.0.1:49374")),
        ("http://127.0.0.1:49374@example.org", None),
        ("http://example.org#@127.0.0.1", None),
        ("http://127.0.0.1.example.org", None),
        ("http://192.168.1.5:49374", None),
        ("http://169.254.169.254", None),
        ("http://[fe80::1]:49374", None),
        ("http://[::ffff:192.168.1.5]:49374", None),
        // Who answers for such a name is up to a resolver.
        ("http://opencode.localhost:49374", None),
        ("http://my-machine:49374", None),
        ("ftp://127.0.0.1", None),
        ("unix:///run/opencode.sock", None),
        ("file:///etc/passwd", None),
        ("127.0.0.1:49374", None),
        ("http://127.0.0.1:49374?x=1", None),
    ];
    for (url, expected) in cases {
        let text = json!({ "url": url, "pid": 1, "password": "hunter2" }).to_string();
        assert_eq!(server(&text).as_deref(), expected, "{url}");
    }
}

#[test]
fn tells_registrations_by_their_names() {
    for name in ["service.json", "service-beta.json", "service-2.1-next.json"] {
        assert!(is_ours(name), "{name}");
    }
    for name in [
        "service.json.lock",
        "service.json.pty-handoff",
        "service-beta.json.lock",
        "service.json.4242.tmp",
        "service.json~",
        ".service.json",
        "service-.json",
        "service-beta",
        "services.json",
        "auth.json",
    ] {
        assert!(!is_ours(name), "{name}");
    }
}

#[test]
fn reads_a_folder_in_a_fixed_order() {
    let folder = tempfile::tempdir().unwrap();
    let text = |port: usize| json!({ "url": format!("http://127.0.0.1:{port}"), "pid": 1 }).to_string();
    for (name, port) in [("service-beta.json", 2), ("service.json", 1), ("service.json.4242.tmp", 3), ("kv.json", 4)] {
        fs::write(folder.path().join(name), text(port)).unwrap();
    }
    let read = |folder: &Path| read(folder).into_iter().map(|read| read.registration.server.0).collect::<Vec<_>>();
    assert_eq!(read(folder.path()), ["http://127.0.0.1:1", "http://127.0.0.1:2"]);
    for number in 0..1000 {
        fs::write(folder.path().join(format!("service-{number:03}.json")), text(5)).unwrap();
    }
    let read_now = read(folder.path());
    assert_eq!((read_now.len(), read_now[0].as_str()), (MOST, "http://127.0.0.1:1"));
    assert_eq!(read(&folder.path().join("missing")), Vec::<String>::new());
    assert_eq!(read(&folder.path().join("service.json")), Vec::<String>::new(), "a file instead of the folder");
}

#[test]
fn a_file_has_a_bounded_length() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"{"url":"http://127.0.0.1:1","pid":1}"#;
    let padded = |length: usize| format!("{text}{}", " ".repeat(length - text.len()));
    let limit = usize::try_from(LIMIT).unwrap();
    fs::write(folder.path().join("service.json"), padded(limit)).unwrap();
    fs::write(folder.path().join("service-long.json"), padded(limit + 1)).unwrap();
    fs::write(folder.path().join("service-binary.json"), [0xff, 0xfe, 0x00]).unwrap();
    let names: Vec<String> = read(folder.path()).into_iter().map(|read| read.name).collect();
    assert_eq!(names, ["service.json"]);
}

/// None of these may block, be followed or be taken for a registration.
#[cfg(target_os = "linux")]
#[test]
fn only_plain_files_are_read() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("elsewhere"), r#"{"url":"http://127.0.0.1:1","pid":1}"#).unwrap();
    mknodat(CWD, at("service.json"), FileType::Fifo, Mode::RWXU, 0).unwrap();
    std::os::unix::fs::symlink(at("elsewhere"), at("service-link.json")).unwrap();
    std::os::unix::fs::symlink("/dev/zero", at("service-zero.json")).unwrap();
    std::os::unix::fs::symlink(at("service-loop.json"), at("service-loop.json")).unwrap();
    fs::create_dir(at("service-folder.json")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(at("service-socket.json")).unwrap();
    assert_eq!(read(folder.path()), []);
    fs::rename(at("elsewhere"), at("service-link.json")).unwrap();
    assert_eq!(read(folder.path()).len(), 1, "the file itself is read");
}
