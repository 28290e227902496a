//! Questions and their answers.

use serde_json::{Value, json};

use crate::client::{Client, PROJECT, idle, session, start, until};

const SCRIPT: &str = "question Which colour?\n: header Colour\n: option Red | A red button\n: option Blue | A blue button\n\
    : and Which features?\n: header Features\n: option Auth | Login\n: option Export | CSV\n: multiple\nsay Thanks.";

async fn asked(client: &Client, stand_in: &gavel_stand_in::StandIn) -> Value {
    until(stand_in, "question", |world| !world.questions().is_empty()).await;
    client.get(&format!("/question?directory={PROJECT}")).await[0].clone()
}

#[tokio::test]
async fn questions_are_asked_answered_and_reported() {
    let option = |label: &str, description: &str| json!({ "label": label, "description": description });
    for (answers, told) in [
        (json!([["Red"], ["Auth", "Export"]]), "\"Which colour?\"=\"Red\", \"Which features?\"=\"Auth, Export\""),
        (json!([["any text"]]), "\"Which colour?\"=\"any text\", \"Which features?\"=\"Unanswered\""),
        (json!([]), "\"Which colour?\"=\"Unanswered\", \"Which features?\"=\"Unanswered\""),
    ] {
        let stand_in = start().await;
        let client = Client::of(&stand_in);
        let events = client.listen("/global/event").await;
        let id = session(&stand_in, SCRIPT);
        let question = asked(&client, &stand_in).await;
        assert_eq!(
            question["questions"],
            json!([
                {
                    "question": "Which colour?", "header": "Colour",
                    "options": [option("Red", "A red button"), option("Blue", "A blue button")],
                },
                {
                    "question": "Which features?", "header": "Features",
                    "options": [option("Auth", "Login"), option("Export", "CSV")], "multiple": true,
                },
            ])
        );
        let path = format!("/question/{}/reply?directory={PROJECT}", question["id"].as_str().unwrap());
        assert_eq!(client.post(&path, json!({ "answers": answers })).await, (200, json!(true)));
        idle(&stand_in, &id).await;
        let said =
            format!("User has answered your questions: {told}. You can now continue with the user's answers in mind.");
        assert_eq!(stand_in.told(&id), [said]);
        events.until_heard(1, "question.replied").await;
        let replied = json!({ "sessionID": id, "requestID": question["id"], "answers": answers });
        assert_eq!(events.of_type("question.replied"), [replied]);
        assert_eq!(client.get(&format!("/question?directory={PROJECT}")).await, json!([]));
    }
}

#[tokio::test]
async fn a_dismissed_question_stops_the_run() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let events = client.listen("/global/event").await;
    let id = session(&stand_in, SCRIPT);
    let question = asked(&client, &stand_in).await;
    let path = format!("/question/{}/reject?directory={PROJECT}", question["id"].as_str().unwrap());
    assert_eq!(client.post(&path, json!({ "message": "ignored" })).await, (200, json!(true)));
    idle(&stand_in, &id).await;
    assert!(stand_in.told(&id).is_empty());
    events.until_heard(1, "session.idle").await;
    assert_eq!(events.of_type("question.rejected"), [json!({ "sessionID": id, "requestID": question["id"] })]);
    let parts = events.of_type("message.part.updated");
    assert!(parts.iter().any(|part| part["part"]["state"]["error"] == "The user dismissed this question"));
}

#[tokio::test]
async fn wrong_answers_are_refused_to_the_letter() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    session(&stand_in, SCRIPT);
    let question = asked(&client, &stand_in).await;
    let id = question["id"].as_str().unwrap();
    let bad = |message: &str, kind: &str| json!({ "name": "BadRequest", "data": { "message": message, "kind": kind } });
    let missing = json!({
        "_tag": "QuestionNotFoundError", "requestID": "que_x", "message": "Question request not found: que_x",
    });
    let no_array = bad("Expected QuestionAnswer, got \"Red\"\n  at [\"answers\"][0]", "Payload");
    let no_label = bad("Expected string, got 5\n  at [\"answers\"][0][0]", "Payload");
    let no_list = bad("Expected array, got \"x\"\n  at [\"answers\"]", "Payload");
    let no_prefix = bad("Expected a string starting with \"que\", got \"zzz\"\n  at [\"requestID\"]", "Params");
    for (path, body, status, answer) in [
        (format!("/question/{id}/reply?directory={PROJECT}"), json!({ "answers": ["Red"] }), 400, no_array),
        (format!("/question/{id}/reply?directory={PROJECT}"), json!({ "answers": [[5]] }), 400, no_label),
        (format!("/question/{id}/reply?directory={PROJECT}"), json!({ "answers": "x" }), 400, no_list),
        (format!("/question/que_x/reply?directory={PROJECT}"), json!({ "answers": [["Red"]] }), 404, missing.clone()),
        (format!("/question/que_x/reject?directory={PROJECT}"), json!({}), 404, missing),
        (format!("/question/zzz/reject?directory={PROJECT}"), json!({}), 400, no_prefix),
    ] {
        assert_eq!(client.post(&path, body).await, (status, answer), "{path}");
    }
    assert_eq!(
        client.post(&format!("/question/{id}/reply"), json!({ "answers": [] })).await.0,
        200,
        "it is the server's own directory"
    );
}

#[tokio::test]
async fn an_aborted_question_stays_and_can_be_answered_in_vain() {
    let stand_in = start().await;
    let client = Client::of(&stand_in);
    let id = session(&stand_in, SCRIPT);
    let question = asked(&client, &stand_in).await;
    stand_in.abort(&id).await;
    assert_eq!(client.get(&format!("/question?directory={PROJECT}")).await[0]["id"], question["id"]);
    let path = format!("/question/{}/reply?directory={PROJECT}", question["id"].as_str().unwrap());
    assert_eq!(client.post(&path, json!({ "answers": [["Red"]] })).await, (200, json!(true)));
    assert_eq!(client.get(&format!("/question?directory={PROJECT}")).await, json!([]));
    assert!(stand_in.told(&id).is_empty());
}
