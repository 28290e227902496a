use std::io::{BufRead as _, BufReader, Read as _};
use std::net::TcpListener;
use std::process::{Command, Stdio};

use super::*;

const TCP: &str = "\
  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1000 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41001 1 0000000000000000 100 0 0 10 0
   1: 00000000:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41002 1 0000000000000000 100 0 0 10 0
   2: 0100007F:1000 0100007F:D431 01 00000000:00000000 00:00000000 00000000  1000        0 41003 1 0000000000000000 20 4 30 10 -1
   3: 0501A8C0:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 41004 1 0000000000000000 100 0 0 10 0
   4: nonsense
   5: 0100007F:FFFFF 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 41005 1
";

const TCP6: &str = "\
  sl  local_address                         remote_address                        st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 00000000000000000000000001000000:1001 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 42001 1 0000000000000000 100 0 0 10 0
   1: 00000000000000000000000000000000:1002 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 42002 1 0000000000000000 100 0 0 10 0
   2: 0000000000000000FFFF00000100007F:1003 00000000000000000000000000000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 42003 1 0000000000000000 100 0 0 10 0
   3: 0000000000000000FFFF00000100007F:1003 0000000000000000FFFF00000100007F:9999 01 00000000:00000000 00:00000000 00000000  1000        0 42004 1 0000000000000000 100 0 0 10 0
";

#[test]
fn reads_the_kernels_tables() {
    let read = |text| parse(text).into_iter().map(|it| (it.address.to_string(), it.inode)).collect::<Vec<_>>();
    let named = |expected: &[(&str, u64)]| expected.iter().map(|(a, n)| ((*a).to_owned(), *n)).collect::<Vec<_>>();
    assert_eq!(read(TCP), named(&[("127.0.0.1:4096", 41001), ("0.0.0.0:8080", 41002), ("192.168.1.5:80", 41004)]));
    let expected = [("[::1]:4097", 42001), ("[::]:4098", 42002), ("[::ffff:127.0.0.1]:4099", 42003)];
    assert_eq!(read(TCP6), named(&expected));
    assert_eq!(read(""), named(&[]));
}

#[test]
fn knows_where_a_socket_is_reached() {
    let cases = [
        ("127.0.0.1:4096", Some("127.0.0.1:4096")),
        ("127.0.0.9:4096", Some("127.0.0.9:4096")),
        ("0.0.0.0:4096", Some("127.0.0.1:4096")),
        ("[::]:4096", Some("127.0.0.1:4096")),
        ("[::1]:4096", Some("[::1]:4096")),
        ("[::ffff:127.0.0.1]:4096", Some("127.0.0.1:4096")),
        ("192.168.1.5:4096", None),
        ("[2001:db8::1]:4096", None),
    ];
    for (bound, expected) in cases {
        let address = reachable(bound.parse().unwrap()).map(|address| address.to_string());
        assert_eq!(address.as_deref(), expected, "{bound}");
    }
}

#[test]
fn knows_names() {
    for (name, expected) in [("opencode", true), ("opencode.exe", true), ("opencode2", false), ("node", false)] {
        assert_eq!(is_its_name(name), expected, "{name}");
    }
    let cases = [("socket:[41001]", Some(41001)), ("socket:[]", None), ("pipe:[7]", None), ("/dev/null", None)];
    for (name, expected) in cases {
        assert_eq!(parse_socket(name), expected, "{name}");
    }
}

const ROLE: &str = "GAVEL_TEST_LISTENS";

/// Not a test by itself: what the process below does, which is a copy of this very program under another name.
#[test]
fn listens_when_told_to() {
    if std::env::var_os(ROLE).is_some() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        eprintln!("listening at {}", listener.local_addr().unwrap());
        // Until the parent closes the other end.
        std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    }
}

#[test]
fn finds_a_process_of_that_name_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let start = |name: &str| {
        let copy = folder.path().join(name);
        fs::copy(std::env::current_exe().unwrap(), &copy).unwrap();
        let mut child = Command::new(copy)
            .args(["--exact", "discovery::procfs::tests::listens_when_told_to", "--nocapture"])
            .env(ROLE, "1")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines.map_while(Result::ok).find_map(|line| Some(line.strip_prefix("listening at ")?.to_owned()));
        (child, address.unwrap().parse::<SocketAddr>().unwrap())
    };
    let (mut opencode, theirs) = start("opencode");
    let (mut other, others) = start("opencoded");
    let found = listening();
    drop((opencode.stdin.take(), other.stdin.take()));
    assert!(opencode.wait().unwrap().success() && other.wait().unwrap().success());
    assert!(found.contains(&theirs), "{theirs} is missing in {found:?}");
    assert!(!found.contains(&others), "{others} is none, in {found:?}");
    assert!(!listening().contains(&theirs), "it has ended");
}
