//! A question from its wire form: the questions of 1.x, and the forms of 2.x.

use gavel_core::flow::{Ending, WireEvent};
use gavel_core::question::{Answer, Choice, Field, Format, Given, Kind, Question, When};
use gavel_core::{CallId, CallRef, Moment, RequestId, RequestKey, Route, ServerId, SessionId};
use serde_json::Value;

use super::lenient;
use super::request::asked_at;
use super::v2::to_wire::GLOBAL;

/// A question from its wire form; `None` without the two things it can't do without, its id and session.
pub(super) fn question(body: &str, server: &ServerId, directory: &str, route: Route, now: Moment) -> Option<Question> {
    let whole: Value = lenient::read(body).ok()?;
    let id = word(&whole, "id")?;
    let session = word(&whole, "sessionID")?;
    let (title, fields, source) = match route {
        Route::V1 | Route::Preview => {
            let asked = whole.get("questions").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let fields = asked.iter().enumerate().map(|(at, one)| inquiry(at, one)).collect();
            ("Questions".to_owned(), fields, whole.get("tool").or(whole.get("source")))
        }
        Route::V2 => {
            let fields = whole.get("fields").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
            let fields = fields.iter().enumerate().map(|(at, one)| field(at, one)).collect();
            let title = word(&whole, "title").unwrap_or_else(|| "Questions".to_owned());
            (title, fields, whole.pointer("/metadata/tool"))
        }
    };
    Some(Question {
        asked: asked_at(&id, now),
        key: RequestKey { server: server.clone(), request: RequestId(id) },
        session: (session != GLOBAL).then_some(SessionId(session)),
        directory: directory.to_owned(),
        route,
        title,
        fields: known(fields, &whole),
        call: source.and_then(call),
        metadata: whole.get("metadata").cloned().unwrap_or(Value::Null),
    })
}

/// Fields that can be told from one another. What is none of the kinds that are known is shown whole.
fn known(fields: Vec<Field>, whole: &Value) -> Vec<Field> {
    if fields.is_empty() { vec![unknown(String::new(), whole, true)] } else { fields }
}

/// That a question was answered, from its wire form; `None` without its id.
pub(super) fn answered(body: &str) -> Option<WireEvent> {
    let whole: Value = lenient::read(body).ok()?;
    let request = word(&whole, "requestID").or_else(|| word(&whole, "id"))?;
    let answer = match (whole.get("answers"), whole.get("answer")) {
        (Some(Value::Array(answers)), _) => in_order(answers),
        (_, Some(Value::Object(answer))) => {
            Some(answer.iter().filter_map(|(key, value)| Some((key.clone(), given(value)?))).collect())
        }
        _ => None,
    };
    Some(WireEvent::QuestionEnded { request: RequestId(request), ending: Ending::Answered(answer) })
}

/// That a question was cancelled, from its wire form; `None` without its id.
pub(super) fn cancelled(body: &str) -> Option<WireEvent> {
    let whole: Value = lenient::read(body).ok()?;
    let request = word(&whole, "requestID").or_else(|| word(&whole, "id"))?;
    Some(WireEvent::QuestionEnded { request: RequestId(request), ending: Ending::Cancelled })
}

/// The answers of 1.x, texts for each question in their order, by the names that the questions go by here.
fn in_order(answers: &[Value]) -> Option<Answer> {
    let mut answer = Answer::new();
    for (at, texts) in answers.iter().enumerate() {
        let mut texts: Vec<String> = texts.as_array()?.iter().filter_map(Value::as_str).map(str::to_owned).collect();
        match texts.pop() {
            None => {}
            Some(only) if texts.is_empty() => drop(answer.insert(key_of(at), Given::Text(only))),
            Some(last) => {
                texts.push(last);
                answer.insert(key_of(at), Given::Several(texts));
            }
        }
    }
    Some(answer)
}

/// By what name the question at a place goes: the same that 2.x has.
fn key_of(at: usize) -> String {
    format!("q{at}")
}

/// A question of 1.x as a field. Another answer than the options is always taken, whatever the server says of that.
fn inquiry(at: usize, value: &Value) -> Field {
    let (Some(asked), Some(options)) = (word(value, "question").or(word(value, "header")), inquiry_options(value))
    else {
        return unknown(key_of(at), value, false);
    };
    let custom = true;
    let kind = if value.get("multiple") == Some(&Value::Bool(true)) {
        Kind::Multiselect { options, min_items: None, max_items: None, custom }
    } else {
        let options = (!options.is_empty()).then_some(options);
        Kind::Text {
            format: None,
            min_length: None,
            max_length: None,
            pattern: None,
            placeholder: None,
            options,
            custom,
        }
    };
    Field {
        key: key_of(at),
        title: word(value, "header"),
        description: Some(asked),
        required: false,
        hidden: false,
        when: Vec::new(),
        default: None,
        kind,
    }
}

fn inquiry_options(value: &Value) -> Option<Vec<Choice>> {
    let Some(options) = value.get("options") else { return Some(Vec::new()) };
    let option = |option: &Value| {
        let label = word(option, "label")?;
        Some(Choice { value: label.clone(), label, description: word(option, "description") })
    };
    options.as_array()?.iter().map(option).collect()
}

/// A field of a form.
fn field(at: usize, value: &Value) -> Field {
    let Some(key) = word(value, "key") else { return unknown(format!("#{at}"), value, true) };
    let read = kind(value).and_then(|kind| Some((kind, conditions(value)?)));
    let Some((kind, when)) = read else {
        let required = value.get("required").and_then(Value::as_bool).unwrap_or(false);
        return Field { when: conditions(value).unwrap_or_default(), ..unknown(key, value, required) };
    };
    let truth = |name: &str| value.get(name).and_then(Value::as_bool).unwrap_or(false);
    Field {
        key,
        title: word(value, "title"),
        description: word(value, "description"),
        required: truth("required"),
        hidden: truth("hidden"),
        when,
        default: value.get("default").and_then(given),
        kind,
    }
}

fn unknown(key: String, value: &Value, required: bool) -> Field {
    Field {
        key,
        title: word(value, "title"),
        description: word(value, "description"),
        required,
        hidden: false,
        when: Vec::new(),
        default: None,
        kind: Kind::Unknown { name: word(value, "type").unwrap_or_default(), raw: value.clone() },
    }
}

/// What kind of answer a field takes; `None` if that isn't known for certain.
fn kind(value: &Value) -> Option<Kind> {
    let custom = value.get("custom").and_then(Value::as_bool).unwrap_or(false);
    Some(match value.get("type")?.as_str()? {
        "string" => Kind::Text {
            format: match value.get("format") {
                None | Some(Value::Null) => None,
                Some(name) => Some(format(name.as_str()?)?),
            },
            min_length: count(value, "minLength"),
            max_length: count(value, "maxLength"),
            pattern: word(value, "pattern"),
            placeholder: word(value, "placeholder"),
            options: match value.get("options") {
                None | Some(Value::Null) => None,
                Some(options) => Some(choices(options)?),
            },
            custom,
        },
        name @ ("number" | "integer") => Kind::Number {
            whole: name == "integer",
            minimum: value.get("minimum").and_then(Value::as_f64),
            maximum: value.get("maximum").and_then(Value::as_f64),
        },
        "boolean" => Kind::Boolean,
        "multiselect" => Kind::Multiselect {
            options: choices(value.get("options")?)?,
            min_items: count(value, "minItems"),
            max_items: count(value, "maxItems"),
            custom,
        },
        "external" => Kind::External { url: word(value, "url")? },
        _ => return None,
    })
}

fn format(name: &str) -> Option<Format> {
    Some(match name {
        "email" => Format::Email,
        "uri" => Format::Uri,
        "date" => Format::Date,
        "date-time" => Format::DateTime,
        _ => return None,
    })
}

fn choices(value: &Value) -> Option<Vec<Choice>> {
    let choice = |option: &Value| {
        let value = option.get("value")?.as_str()?.to_owned();
        let label = word(option, "label").unwrap_or_else(|| value.clone());
        Some(Choice { value, label, description: word(option, "description") })
    };
    value.as_array()?.iter().map(choice).collect()
}

/// The conditions of a field; `None` if one can't be read: then it isn't known when the field is asked.
fn conditions(value: &Value) -> Option<Vec<When>> {
    let condition = |one: &Value| {
        let equal = match one.get("op")?.as_str()? {
            "eq" => true,
            "neq" => false,
            _ => return None,
        };
        Some(When { key: word(one, "key")?, equal, value: given(one.get("value")?)? })
    };
    match value.get("when") {
        None | Some(Value::Null) => Some(Vec::new()),
        Some(list) => list.as_array()?.iter().map(condition).collect(),
    }
}

fn given(value: &Value) -> Option<Given> {
    Some(match value {
        Value::Bool(truth) => Given::Boolean(*truth),
        Value::Number(number) => Given::Number(number.clone()),
        Value::String(text) => Given::Text(text.clone()),
        Value::Array(items) => {
            let texts: Option<Vec<String>> = items.iter().map(|item| item.as_str().map(str::to_owned)).collect();
            Given::Several(texts?)
        }
        Value::Null | Value::Object(_) => return None,
    })
}

/// Where the tool call behind a question is.
fn call(source: &Value) -> Option<CallRef> {
    let id = word(source, "callID").or_else(|| word(source, "id"))?;
    Some(CallRef { message: word(source, "messageID")?, call: CallId(id) })
}

fn word(value: &Value, name: &str) -> Option<String> {
    value.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// A bound. One that is written with a point is one all the same.
fn count(value: &Value, name: &str) -> Option<u64> {
    let number = value.get(name)?;
    // The range is checked first, so nothing is lost but the fraction.
    let rounded = || number.as_f64().filter(|number| (0.0..9e15).contains(number)).map(|number| number.ceil() as u64);
    number.as_u64().or_else(rounded)
}
