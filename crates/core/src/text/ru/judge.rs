//! Why a judge gave no verdict.

pub(super) const PART: &[(&str, &str)] = &[
    ("no key is configured for the judge", "для судьи не задан ключ"),
    ("the judge answered with HTTP status {}: {}", "судья ответил кодом `HTTP` {}: {}"),
    ("the judge answered with HTTP status {}", "судья ответил кодом `HTTP` {}"),
    ("the judge could not be reached: {}", "судья недоступен: {}"),
    ("timed out after {} ms", "не ответил за {} мс"),
    ("the answer of the judge was cut off: {}", "ответ судьи оборвался: {}"),
    ("the answer of the judge could not be understood: {}", "ответ судьи не удалось понять: {}"),
    // Why it was not reached.
    ("its address makes no sense: {}", "в его адресе нет смысла: {}"),
    ("its address begins with {}, and not with `https:`", "его адрес начинается с {}, а не с `https:`"),
    ("{} holds characters that can't be sent", "{} содержит знаки, которые нельзя отправить"),
    ("the key", "ключ"),
    ("the header {}", "заголовок {}"),
    ("no connection within {} s", "нет соединения уже {} с"),
    ("the connection failed", "соединение не удалось"),
    // Why its answer did not come whole.
    ("its thoughts have no end", "у его размышлений нет конца"),
    ("its JSON has no end", "у его JSON нет конца"),
    ("its JSON object has no end", "у его объекта JSON нет конца"),
    ("it is longer than what is taken in", "он длиннее, чем принимается"),
    ("its model was not done", "модель не закончила"),
    ("the model stopped by {}", "модель остановилась: {}"),
    // Why it was not understood.
    ("it is empty", "он пуст"),
    ("it is a web page", "это веб-страница"),
    ("it is an error: {}", "это ошибка: {}"),
    ("it is not what the API promises: {}", "он не таков, как обещает API: {}"),
    ("it holds no JSON object", "в нём нет объекта JSON"),
    ("it holds more than one JSON object", "в нём больше одного объекта JSON"),
    ("its JSON object is a part of something else", "его объект JSON — часть чего-то другого"),
    ("it holds not exactly one choice", "в нём не ровно один вариант ответа"),
    ("{} is no decision", "{} — не решение"),
    ("the model declined to answer: {}", "модель отказалась отвечать: {}"),
    // Why what it allowed is left to the user.
    (
        "it is too long for the judge, which allowed only the part it saw",
        "запрос слишком длинный для судьи, и разрешил он только ту часть, которую видел",
    ),
    (
        "what looks like a secret in it may be more, and the judge allowed it without having seen that",
        "то, что в нём похоже на секрет, может значить больше, а судья разрешил, не видев этого",
    ),
];
