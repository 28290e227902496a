//! The schema, and which part of it each route and event is held against.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex};

use jsonschema::Validator;
use serde_json::{Map, Value, json};

/// Shapes of API 2.1.2.
const SCHEMA: &str = include_str!("../fixtures/opencode-v2.schema.json");

/// What a route answers with when all is well.
pub enum Body {
    /// No body, and 204.
    Empty,
    /// A definition of the schema.
    Is(&'static str),
    /// `{"data": …}` around a definition.
    Data(&'static str),
    /// What the schema has no definition for, put together of what it has.
    Made(fn() -> Value),
    /// A stream.
    Events,
}

/// Every route there is, with its answer.
pub const ROUTES: &[(&str, &str, Body)] = &[
    ("GET", "/api/info", Body::Is("ServerInfo")),
    ("GET", "/api/event", Body::Events),
    ("GET", "/api/location", Body::Is("LocationPublicInfo")),
    ("GET", "/api/agent", Body::Is("AgentListResponse")),
    ("GET", "/api/agent/{}", Body::Is("AgentGetResponse")),
    ("GET", "/api/provider", Body::Made(|| located(json!({ "type": "array", "items": of("ProviderInfo") })))),
    ("GET", "/api/provider/{}", Body::Is("ProviderGetResponse")),
    ("GET", "/api/model/default", Body::Made(|| located(model()))),
    ("GET", "/api/form", Body::Is("FormListResponse")),
    ("GET", "/api/permission/request", Body::Is("PermissionRequestListResponse")),
    ("GET", "/api/permission/saved", Body::Is("PermissionSavedListEnvelope")),
    ("PATCH", "/api/permission/saved/{}", Body::Is("PermissionSavedEnvelope")),
    ("DELETE", "/api/permission/saved/{}", Body::Empty),
    ("GET", "/api/session", Body::Made(sessions)),
    ("POST", "/api/session", Body::Is("SessionEnvelope")),
    ("GET", "/api/session/active", Body::Made(active)),
    ("GET", "/api/session/{}", Body::Is("SessionEnvelope")),
    ("PATCH", "/api/session/{}", Body::Empty),
    ("DELETE", "/api/session/{}", Body::Empty),
    ("POST", "/api/session/{}/permissions", Body::Empty),
    ("POST", "/api/session/{}/agent", Body::Empty),
    ("POST", "/api/session/{}/model", Body::Empty),
    ("POST", "/api/session/{}/move", Body::Empty),
    ("POST", "/api/session/{}/fork", Body::Is("SessionEnvelope")),
    ("POST", "/api/session/{}/interrupt", Body::Is("SessionInterruptResponse")),
    ("POST", "/api/session/{}/prompt", Body::Made(|| enveloped(waiting("user", "SessionInboxUserPayload")))),
    ("POST", "/api/session/{}/synthetic", Body::Is("SyntheticEnvelope")),
    (
        "POST",
        "/api/session/{}/generate",
        Body::Made(|| enveloped(object(&[("text", json!({ "type": "string" }))], &[]))),
    ),
    ("GET", "/api/session/{}/context", Body::Made(context)),
    ("GET", "/api/session/{}/inbox", Body::Made(inbox)),
    ("GET", "/api/session/{}/message", Body::Is("SessionMessagesResponse")),
    ("GET", "/api/session/{}/message/{}", Body::Made(message)),
    ("GET", "/api/session/{}/permission", Body::Is("PermissionListEnvelope")),
    ("POST", "/api/session/{}/permission", Body::Is("PermissionCreateEnvelope")),
    ("GET", "/api/session/{}/permission/{}", Body::Is("PermissionGetEnvelope")),
    ("POST", "/api/session/{}/permission/{}/reply", Body::Empty),
    ("GET", "/api/session/{}/form", Body::Is("SessionFormListEnvelope")),
    ("POST", "/api/session/{}/form", Body::Data("FormInfo")),
    ("GET", "/api/session/{}/form/{}", Body::Is("SessionFormEnvelope")),
    ("DELETE", "/api/session/{}/form/{}", Body::Empty),
    ("POST", "/api/session/{}/form/{}/reply", Body::Empty),
    ("POST", "/api/session/{}/form/{}/cancel", Body::Empty),
    ("POST", "/api/experimental/session/{}/wait", Body::Empty),
];

fn of(definition: &str) -> Value {
    json!({ "$ref": format!("#/$defs/{definition}") })
}

fn object(required: &[(&str, Value)], optional: &[(&str, Value)]) -> Value {
    let all: Map<String, Value> =
        required.iter().chain(optional).map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let keys: Vec<&str> = required.iter().map(|(key, _)| *key).collect();
    json!({ "type": "object", "properties": all, "required": keys })
}

fn enveloped(data: Value) -> Value {
    object(&[("data", data)], &[])
}

fn located(data: Value) -> Value {
    object(&[("location", of("LocationPublicRef")), ("data", data)], &[])
}

fn sessions() -> Value {
    let list = json!({ "type": "array", "items": of("SessionInfo") });
    object(&[("data", list), ("cursor", of("SessionMessagesResponseCursor"))], &[])
}

fn active() -> Value {
    enveloped(
        json!({ "type": "object", "additionalProperties": object(&[("type", json!({ "const": "running" }))], &[]) }),
    )
}

fn waiting(kind: &str, payload: &str) -> Value {
    let text = json!({ "type": "string" });
    let delivery = json!({ "enum": ["steer", "queue"] });
    let (kind, payload, time) = (json!({ "const": kind }), of(payload), of("SessionInboxSyntheticTime"));
    let session = of("SessionID");
    object(
        &[
            ("id", text),
            ("sessionID", session),
            ("time", time),
            ("type", kind),
            ("payload", payload),
            ("delivery", delivery),
        ],
        &[],
    )
}

fn inbox() -> Value {
    let either = json!({ "oneOf": [waiting("user", "SessionInboxUserPayload"), of("SessionInboxSynthetic")] });
    enveloped(json!({ "type": "array", "items": either }))
}

fn context() -> Value {
    enveloped(ORIGINAL["$defs"]["SessionMessagesResponse"]["properties"]["data"].clone())
}

fn message() -> Value {
    let list = &ORIGINAL["$defs"]["SessionMessagesResponse"]["properties"]["data"];
    enveloped(list["items"].clone())
}

fn model() -> Value {
    let (text, anything) = (json!({ "type": "string" }), json!({}));
    let number = json!({ "type": "number" });
    let limit = object(&[("context", number.clone()), ("output", number.clone())], &[("input", number)]);
    let required = ["id", "modelID", "providerID", "name", "status"].map(|key| (key, text.clone()));
    let more = ["capabilities", "variants", "time", "cost", "enabled"].map(|key| (key, anything.clone()));
    let all: Vec<_> = required.into_iter().chain(more).chain([("limit", limit)]).collect();
    object(&all, &[])
}

static ORIGINAL: LazyLock<Value> = LazyLock::new(|| serde_json::from_str(SCHEMA).unwrap());

/// Definitions in which no key is free that is not said to be.
static STRICT: LazyLock<Value> = LazyLock::new(|| {
    let mut definitions = ORIGINAL["$defs"].clone();
    close(&mut definitions);
    definitions
});

/// Closes each object that names its keys. The schema leaves them open for releases to come.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            fields.values_mut().for_each(close);
            let names_keys = fields.get("properties").is_some_and(|keys| !keys.as_object().unwrap().is_empty());
            if names_keys && !fields.get("additionalProperties").is_some_and(Value::is_object) {
                fields.insert("additionalProperties".to_owned(), json!(false));
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

fn validator(schema: &Value, strict: bool) -> Validator {
    let mut whole = schema.clone();
    let definitions = if strict {
        close(&mut whole);
        STRICT.clone()
    } else {
        ORIGINAL["$defs"].clone()
    };
    whole["$schema"] = ORIGINAL["$schema"].clone();
    whole["$defs"] = definitions;
    jsonschema::validator_for(&whole).unwrap()
}

/// Validators are slow to make, and there are few: by schema, open and strict.
type Made = HashMap<String, (Validator, Validator)>;

/// What is wrong with a value, as the schema has it and as it would have it if it knew of nothing else.
pub fn complaints(schema: &Value, value: &Value) -> Vec<String> {
    static MADE: LazyLock<Mutex<Made>> = LazyLock::new(Mutex::default);
    let mut made = MADE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let (open, strict) =
        made.entry(schema.to_string()).or_insert_with(|| (validator(schema, false), validator(schema, true)));
    let all = [("", open), ("an unknown key: ", strict)];
    let complaints = all.iter().flat_map(|(what, validator)| {
        validator.iter_errors(value).map(move |error| format!("{what}{error} at `{}`", error.instance_path()))
    });
    complaints.collect()
}

/// The route a path belongs to. One whose path names more is the better one.
pub fn route(method: &str, path: &str) -> Option<&'static (&'static str, &'static str, Body)> {
    let parts: Vec<&str> = path.split(['?']).next().unwrap().split('/').collect();
    let fits = |pattern: &str| {
        let wanted: Vec<&str> = pattern.split('/').collect();
        wanted.len() == parts.len() && wanted.iter().zip(&parts).all(|(wanted, part)| *wanted == "{}" || wanted == part)
    };
    let candidates = ROUTES.iter().filter(|(verb, pattern, _)| *verb == method && fits(pattern));
    candidates.min_by_key(|(_, pattern, _)| pattern.matches("{}").count())
}

/// What is wrong with an answer. Web pages are no answers of a route.
pub fn answer_complaints(method: &str, path: &str, status: u16, body: &Value) -> Vec<String> {
    let Some((_, _, expected)) = route(method, path) else { return vec![format!("{method} {path} is no route")] };
    if status >= 400 {
        return complaints(&of("Error"), body);
    }
    let schema = match expected {
        Body::Empty if status == 204 && body == "" => return Vec::new(),
        Body::Empty => return vec![format!("expected nothing with 204, got {body} with {status}")],
        Body::Is(definition) => of(definition),
        Body::Data(definition) => enveloped(of(definition)),
        Body::Made(schema) => schema(),
        Body::Events => return vec!["a stream is no answer".to_owned()],
    };
    if status == 200 { complaints(&schema, body) } else { vec![format!("expected 200, got {status}")] }
}

/// Every type of event the schema knows.
pub fn event_types() -> Vec<String> {
    let events = ORIGINAL["$defs"]["Event"]["oneOf"].as_array().unwrap();
    let name = |event: &Value| event["$ref"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let kind =
        |event: &Value| ORIGINAL["$defs"][name(event)]["properties"]["type"]["const"].as_str().unwrap().to_owned();
    events.iter().map(kind).collect()
}

/// What is wrong with an event. One type is sent that the schema leaves out, for a client has to bear such.
pub fn event_complaints(event: &Value) -> Vec<String> {
    if event["type"] == "session.text.delta" {
        let (text, whole) = (json!({ "type": "string" }), json!({ "type": "integer" }));
        let data = object(
            &[
                ("sessionID", of("SessionID")),
                ("assistantMessageID", text.clone()),
                ("ordinal", whole),
                ("delta", text.clone()),
            ],
            &[],
        );
        let number = json!({ "type": "number" });
        let (id, kind, location) = (of("EventID"), text, of("LocationRef"));
        return complaints(
            &object(&[("id", id), ("created", number), ("type", kind), ("location", location), ("data", data)], &[]),
            event,
        );
    }
    complaints(&of("Event"), event)
}

#[test]
fn what_is_broken_is_refused() {
    let request = json!({ "id": "per_1", "sessionID": "ses_1", "action": "shell", "resources": ["ls"] });
    let list = |request: &Value| json!({ "data": [request] });
    let wrong = |request: &Value| answer_complaints("GET", "/api/session/ses_1/permission", 200, &list(request));
    assert_eq!(wrong(&request), Vec::<String>::new());
    for (key, value) in [("id", json!("prm_1")), ("resources", json!("ls")), ("save", Value::Null), ("extra", json!(1))]
    {
        let mut broken = request.clone();
        broken[key] = value;
        assert!(!wrong(&broken).is_empty(), "{broken}");
    }
    let mut without = request.clone();
    without.as_object_mut().unwrap().remove("action");
    assert!(!wrong(&without).is_empty());
    let refusal = json!({ "_tag": "PermissionNotFoundError", "message": "Permission request not found: per_1" });
    assert!(!answer_complaints("GET", "/api/session/ses_1/permission/per_1", 404, &refusal).is_empty());
    assert!(!answer_complaints("PATCH", "/api/session/ses_1", 200, &json!({})).is_empty());
    assert!(!answer_complaints("GET", "/permission", 200, &json!([])).is_empty());
    let asked = |data: Value| json!({ "id": "evt_1", "created": 1, "type": "permission.asked", "data": data });
    assert_eq!(event_complaints(&asked(request.clone())), Vec::<String>::new());
    assert!(!event_complaints(&asked(without)).is_empty());
    let mut undated = asked(request);
    undated.as_object_mut().unwrap().remove("created");
    assert!(!event_complaints(&undated).is_empty());
}
