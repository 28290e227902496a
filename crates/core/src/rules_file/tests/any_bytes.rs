use proptest::prelude::*;
use serde_json::{Value, json};

use super::*;

const COMMANDS: [&str; 5] = ["ls", "make", "npm test", "git status", "cat x"];

fn allows_nothing_unless_sound(bytes: &[u8]) {
    match parse(bytes) {
        Ok(content) => {
            // What passes is in the file, by one of its parts.
            let value: Value = serde_json::from_slice(bytes).expect("what is sound for us is sound");
            assert_eq!(value["version"].as_f64(), Some(1.0));
            for command in COMMANDS {
                if content.matches(&line(command), || true).is_some() {
                    assert!(value["learned"].is_array() || value["preset"].is_array());
                }
            }
            assert_eq!(parse(content.render().as_bytes()).expect("readable").lines(), content.lines());
        }
        Err(broken) => {
            assert!(!broken.faults.is_empty());
            assert!(!broken.to_string().is_empty());
        }
    }
}

fn sound() -> Value {
    json!({"version": 1, "preset": ["*"], "learned": [{"command": "make", "approvals": 3, "lastSeen": "x"}],
        "pending": {"npm test": 2}, "gavel": {"human": {"make": 1}}})
}

/// Any JSON, mostly small.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!("ls *")),
        Just(json!({"command": "ls"})),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::hash_map("[a-z]{0,4}|command|approvals|version|preset", inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Whether the parts are of the types that the format gives them, told independently of the reader.
fn is_sound(file: &Value) -> bool {
    let count = |value: &Value| value.as_f64().is_some_and(|n| n >= 0.0 && n.fract() == 0.0 && n <= 9e15);
    let counts = |value: &Value| value.as_object().is_some_and(|map| map.values().all(count));
    let part = |key: &str, is: &dyn Fn(&Value) -> bool| file.get(key).is_none_or(is);
    part("preset", &|value| value.as_array().is_some_and(|items| items.iter().all(Value::is_string)))
        && part("learned", &|value| {
            value.as_array().is_some_and(|items| {
                items.iter().all(|item| {
                    item.get("command").is_some_and(Value::is_string)
                        && item.get("approvals").is_none_or(count)
                        && item.get("lastSeen").is_none_or(Value::is_string)
                })
            })
        })
        && part("pending", &counts)
        && part("gavel", &|value| {
            value.is_object()
                && ["project", "write"].iter().all(|key| value.get(key).is_none_or(Value::is_string))
                && value.get("human").is_none_or(counts)
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        allows_nothing_unless_sound(&bytes);
    }

    #[test]
    fn a_file_cut_short_or_overwritten_allows_only_if_it_is_sound(
        cut in 0_usize..300, place in 0_usize..300, byte in any::<u8>(),
    ) {
        let mut bytes = serde_json::to_vec_pretty(&sound()).unwrap();
        bytes.truncate(cut);
        if let Some(one) = bytes.get_mut(place) {
            *one = byte;
        }
        allows_nothing_unless_sound(&bytes);
    }

    #[test]
    fn a_part_of_another_type_makes_the_whole_allow_nothing(
        key in prop::sample::select(vec!["preset", "learned", "pending", "gavel"]), part in any_json(),
    ) {
        let mut file = sound();
        file[key] = part;
        let text = file.to_string();
        // `f64`s that are not numbers become null.
        let file: Value = serde_json::from_str(&text).unwrap();
        prop_assert_eq!(parse(text.as_bytes()).is_ok(), is_sound(&file), "{}", text);
    }
}
