use proptest::prelude::*;

use super::*;

fn event(data: &str) -> Frame {
    Frame::Event(data.to_owned())
}

fn decode(stream: &[u8]) -> Vec<Frame> {
    Decoder::default().feed(stream)
}

#[test]
fn reads_what_the_standard_allows() {
    let cases: &[(&str, &str, Vec<Frame>)] = &[
        ("nothing", "", vec![]),
        ("one event", "data: {}\n\n", vec![event("{}")]),
        ("no space after the colon", "data:{}\n\n", vec![event("{}")]),
        ("only one space is taken away", "data:  x\n\n", vec![event(" x")]),
        ("carriage return and line feed", "data: a\r\n\r\ndata: b\r\n\r\n", vec![event("a"), event("b")]),
        ("carriage returns alone", "data: a\r\rdata: b\r\r", vec![event("a"), event("b")]),
        ("mixed ends", "data: a\r\n\ndata: b\n\r", vec![event("a"), event("b")]),
        ("several lines", "data: a\ndata: b\ndata\ndata:\n\n", vec![event("a\nb\n\n")]),
        ("empty data is an event", "data:\n\n", vec![event("")]),
        ("blank lines alone are not", "\n\n\n\n", vec![]),
        ("other fields", "event: x\nid: 7\nretry: 3\ndata: a\ndatabase: b\nnonsense\n\n", vec![event("a")]),
        ("an event without data", "event: x\n\ndata: a\n\n", vec![event("a")]),
        ("comments", ": heartbeat\n\n:\ndata: a\n\n", vec![Frame::KeepAlive, Frame::KeepAlive, event("a")]),
        ("a comment inside an event", "data: a\n: x\ndata: b\n\n", vec![Frame::KeepAlive, event("a\nb")]),
        ("byte order mark", "\u{FEFF}data: a\n\n", vec![event("a")]),
        ("only the first mark is one", "\u{FEFF}\n\u{FEFF}data: a\n\ndata: b\n\n", vec![event("b")]),
        ("an event that never ends", "data: a\n", vec![]),
        ("beyond ASCII", "data: жур \u{202E}🦀\n\n", vec![event("жур \u{202E}🦀")]),
    ];
    for (name, stream, expected) in cases {
        assert_eq!(&decode(stream.as_bytes()), expected, "{name}");
    }
}

#[test]
fn replaces_what_is_not_text() {
    assert_eq!(decode(b"data: a\xFFb\n\n"), [event("a\u{FFFD}b")]);
}

const SAMPLE: &str =
    "\u{FEFF}: hi\r\n\r\ndata: {\"a\":\"жур\"}\r\n\r\ndata: one\rdata: two\r\rdata: 🦀\n\nid: 1\n\n:\n\n";

#[test]
fn can_be_cut_at_every_byte() {
    let whole = decode(SAMPLE.as_bytes());
    assert_eq!(whole.len(), 5);
    for at in 0..=SAMPLE.len() {
        let (head, tail) = SAMPLE.as_bytes().split_at(at);
        let mut decoder = Decoder::default();
        let mut frames = decoder.feed(head);
        frames.extend(decoder.feed(tail));
        assert_eq!(frames, whole, "cut at {at}");
    }
    let mut decoder = Decoder::default();
    let single: Vec<Frame> = SAMPLE.bytes().flat_map(|byte| decoder.feed(&[byte])).collect();
    assert_eq!(single, whole, "byte by byte");
}

#[test]
fn drops_an_overlong_event_and_goes_on() {
    let long = "x".repeat(100);
    let cases: &[(&str, String, u64)] = &[
        ("one long line", format!("data: {long}\n\n"), 106),
        ("many short lines", "data: 0123456789\n".repeat(10) + "\n", 10 * 16),
        ("a long comment", format!(":{long}\n\n"), 101),
        ("more lines after the limit", format!("data: {long}\r\ndata: {long}\r\n\r\n"), 212),
    ];
    for (name, stream, length) in cases {
        let stream = format!("data: before\n\n{stream}data: after\n\n");
        let check = |frames: &[Frame], cut: usize| {
            let [before, Frame::Oversized { bytes }, after] = frames else {
                panic!("{name}, cut at {cut}: {frames:?}")
            };
            assert_eq!((before, after), (&event("before"), &event("after")), "{name}, cut at {cut}");
            // Field names that were already read over are not counted, nor need they be.
            assert!(*bytes <= *length && *bytes > 64, "{name}: {bytes}");
        };
        for at in 0..=stream.len() {
            let (head, tail) = stream.as_bytes().split_at(at);
            let mut decoder = Decoder::with_limit(64);
            let mut frames = decoder.feed(head);
            frames.extend(decoder.feed(tail));
            check(&frames, at);
        }
    }
}

#[test]
fn an_event_of_exactly_the_limit_passes() {
    let stream = format!("data:{}\n\n", "x".repeat(59));
    assert_eq!(Decoder::with_limit(64).feed(stream.as_bytes()), [event(&"x".repeat(59))]);
    assert!(matches!(Decoder::with_limit(63).feed(stream.as_bytes()).as_slice(), [Frame::Oversized { bytes: 64 }]));
}

#[test]
fn an_enormous_event_takes_no_memory() {
    let mut decoder = Decoder::default();
    let chunk = vec![b'x'; 1024 * 1024];
    assert!(decoder.feed(b"data: ").is_empty());
    let mut most = 0;
    for _ in 0..300 {
        assert!(decoder.feed(&chunk).is_empty());
        most = most.max(decoder.line.capacity() + decoder.data.as_ref().map_or(0, Vec::capacity));
    }
    assert!(most <= 2 * LIMIT, "{most} bytes were held");
    assert_eq!(decoder.line.capacity(), 0, "what was held is given back as soon as the event is given up");
    let frames = decoder.feed(b"\n\ndata: after\n\n");
    assert_eq!(frames, [Frame::Oversized { bytes: 300 * 1024 * 1024 + 6 }, event("after")]);
}

proptest! {
    #[test]
    fn cutting_changes_nothing(stream in "(data:[ a\u{FEFF}ж]{0,6}|:[a]{0,3}|id|[\r\n]){0,24}", cuts in prop::collection::vec(0usize..200, 0..6)) {
        let bytes = stream.as_bytes();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
        cuts.extend([0, bytes.len()]);
        cuts.sort_unstable();
        let mut decoder = Decoder::with_limit(24);
        let frames: Vec<Frame> = cuts.windows(2).flat_map(|pair| decoder.feed(&bytes[pair[0]..pair[1]])).collect();
        prop_assert_eq!(frames, Decoder::with_limit(24).feed(bytes));
    }

    #[test]
    fn what_is_written_is_read(lines in prop::collection::vec("[^\r\n]{0,20}", 1..5)) {
        let stream: String = lines.iter().map(|line| format!("data: {line}\n")).collect::<String>() + "\n";
        prop_assert_eq!(decode(stream.as_bytes()), vec![event(&lines.join("\n"))]);
    }

    #[test]
    fn anything_at_all_is_survived(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = Decoder::with_limit(50).feed(&bytes);
    }
}
