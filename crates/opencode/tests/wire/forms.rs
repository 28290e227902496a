//! What servers take for an answer, held against the cases that the stand-in and the window are held against as well.

use gavel_core::flow::WireEvent;
use gavel_core::question::{Answer, Field, active, check, complete, problems};
use gavel_core::{Moment, ServerId};
use gavel_opencode::Dialect;
use gavel_opencode::dialect::Said;
use serde_json::{Value, json};

const CASES: &str = include_str!("../../../../tests/fixtures/forms.json");

/// The fields as they come off the wire.
fn fields(wire: &Value) -> Vec<Field> {
    let form = json!({ "id": "frm_1", "sessionID": "ses_1", "title": "Form", "fields": wire });
    let frame = json!({ "id": "evt_1", "type": "form.created", "data": { "form": form } }).to_string();
    let said = Dialect::V2.decode(&frame, Moment(1), &ServerId::from("http://s")).said;
    let Said::Event(WireEvent::QuestionAsked(question)) = said else { panic!("{wire}: {said:?}") };
    question.fields
}

fn answer(value: &Value) -> Answer {
    serde_json::from_value(value.clone()).unwrap()
}

#[test]
fn answers_are_checked_as_servers_check_them() {
    let cases: Value = serde_json::from_str(CASES).unwrap();
    let mut seen = 0;
    for form in cases["forms"].as_array().unwrap() {
        let fields = fields(&form["fields"]);
        for case in form["cases"].as_array().unwrap() {
            let name = format!("{}: {case}", form["name"]);
            let given = case.get("given").map(answer).unwrap_or_default();
            let sent = case.get("answer").map_or_else(|| complete(&fields, &given), answer);
            let found = problems(&fields, &sent);
            let says: Vec<&str> = found.iter().map(|problem| problem.message.as_str()).collect();
            assert_eq!(json!(says), case["says"], "{name}");
            assert_eq!(check(&fields, &sent).err(), found.first().cloned(), "{name}");
            for problem in &found {
                assert!(problem.message.ends_with(&format!(": {}", problem.field)), "{name}");
            }
            if let Some(sends) = case.get("sends") {
                assert_eq!(sent, answer(sends), "{name}");
            }
            if let Some(asks) = case.get("asks") {
                let keys: Vec<&str> = active(&fields, &given).into_iter().map(|field| field.key.as_str()).collect();
                assert_eq!(json!(keys), *asks, "{name}");
            }
            seen += 1;
        }
    }
    assert!(seen > 120, "{seen}");
}
