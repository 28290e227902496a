//! The window from the inside: WebKitWebDriver, spoken to in plain HTTP.
//!
//! What the DOM says and what is painted are two things; see [`super::Picture`] for the second. Neither
//! `WEBKIT_DISABLE_COMPOSITING_MODE` nor `WEBKIT_DISABLE_DMABUF_RENDERER` may be set: with either, screenshots never end.

use std::{path::Path, time::Duration};

use base64::Engine;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Session, session::artefact};
use crate::{
    process::{self, Process},
    wait::eventually,
};

const COMMAND: Duration = Duration::from_secs(30);
const START: Duration = Duration::from_secs(90);
/// The name of the field that holds an element's id, fixed by the W3C.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// An application under control. Dropping it ends the driver and the application.
#[derive(Debug)]
pub struct WebDriver {
    driver: Process,
    http: reqwest::Client,
    base: String,
}

/// A part of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Element(String);

impl Element {
    /// What a script answered with, if that is a part of the page.
    pub(super) fn of(found: &Value) -> Option<Self> {
        found[ELEMENT].as_str().map(|id| Self(id.to_owned()))
    }
}

impl WebDriver {
    /// Starts the driver, and through it `binary` with `args`. The application must open a window at once.
    ///
    /// # Panics
    /// When there is no window within 90 s; the message has the driver's and the application's output.
    pub async fn start(session: &Session, binary: &Path, args: &[&str], env: &[(&str, &str)]) -> Self {
        let port = process::free_port();
        let mut command = session.command("WebKitWebDriver");
        command.arg(format!("--port={port}")).arg("--host=127.0.0.1");
        command.envs([("TAURI_AUTOMATION", "true"), ("TAURI_WEBVIEW_AUTOMATION", "true")]).envs(env.iter().copied());
        let driver = session.spawn("WebKitWebDriver", command);
        let http = reqwest::Client::builder().no_proxy().build().expect("a client without exotic settings");
        let root = format!("http://127.0.0.1:{port}");
        eventually("the driver", START, async || {
            let status = http.get(format!("{root}/status")).timeout(Duration::from_secs(2)).send().await;
            status.map(|_| ()).map_err(|e| format!("{e}\n{}", driver.tail()))
        })
        .await;
        let options = json!({"binary": binary, "args": args});
        let capabilities = json!({"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}});
        let mut window = Self { driver, http, base: root.clone() };
        let started = window.send(Method::POST, "/session", Some(capabilities), START).await;
        let started = started.unwrap_or_else(|error| panic!("no window: {error}\n{}", window.driver.tail()));
        window.base = format!("{root}/session/{}", started["sessionId"].as_str().expect("a session has an id"));
        window
    }

    /// What the driver and the application printed.
    pub fn output(&self) -> String {
        self.driver.output()
    }

    /// The first element that matches a CSS selector.
    ///
    /// # Errors
    /// The driver's words, when there is none.
    pub async fn find(&self, css: &str) -> Result<Element, String> {
        let query = json!({"using": "css selector", "value": css});
        let found = self.send(Method::POST, "/element", Some(query), COMMAND).await?;
        Element::of(&found).ok_or_else(|| format!("no element in {found}"))
    }

    /// All elements that match a CSS selector.
    pub async fn find_all(&self, css: &str) -> Vec<Element> {
        let found = self.post("/elements", json!({"using": "css selector", "value": css})).await;
        found.as_array().into_iter().flatten().filter_map(Element::of).collect()
    }

    /// Waits for an element that matches.
    ///
    /// # Panics
    /// When there is none by the deadline; the message has the page's text.
    pub async fn wait_for_css(&self, css: &str, deadline: Duration) -> Element {
        eventually(format!("an element `{css}`"), deadline, async || match self.find(css).await {
            Ok(element) => Ok(element),
            Err(error) => Err(format!("{error}\n  on the page: {}", self.page_text().await)),
        })
        .await
    }

    /// Waits until no element matches.
    ///
    /// # Panics
    /// When one does at the deadline.
    pub async fn wait_for_no_css(&self, css: &str, deadline: Duration) {
        eventually(format!("no element `{css}`"), deadline, async || match self.find_all(css).await.len() {
            0 => Ok(()),
            found => Err(format!("{found} of them; on the page: {}", self.page_text().await)),
        })
        .await;
    }

    /// Waits until the page's text contains `text`.
    ///
    /// # Panics
    /// When it does not by the deadline; the message has the page's text.
    pub async fn wait_for_text(&self, text: &str, deadline: Duration) {
        eventually(format!("the page to say `{text}`"), deadline, async || {
            let page = self.page_text().await;
            if page.contains(text) { Ok(()) } else { Err(page) }
        })
        .await;
    }

    /// Goes to another page.
    pub async fn go(&self, url: &str) {
        self.post("/url", json!({"url": url})).await;
    }

    /// The text of the page as rendered.
    pub async fn page_text(&self) -> String {
        let text = self.execute("return document.body ? document.body.innerText : ''", &[]).await;
        text.as_str().unwrap_or_default().to_owned()
    }

    /// The text of an element as rendered.
    pub async fn text(&self, element: &Element) -> String {
        self.get(&format!("/element/{}/text", element.0)).await.as_str().unwrap_or_default().to_owned()
    }

    /// An attribute of an element.
    pub async fn attribute(&self, element: &Element, name: &str) -> Option<String> {
        self.get(&format!("/element/{}/attribute/{name}", element.0)).await.as_str().map(str::to_owned)
    }

    /// Waits for an element that matches, and clicks it.
    ///
    /// # Panics
    /// When none could be clicked by the deadline; the message has the page's text.
    pub async fn click_css(&self, css: &str, deadline: Duration) {
        eventually(format!("a click on `{css}`"), deadline, async || match self.click_if_there(css).await {
            true => Ok(()),
            false => Err(self.page_text().await),
        })
        .await;
    }

    /// Clicks what matches now, if anything does. The page may take it away between the look and the click.
    ///
    /// # Panics
    /// When the driver fails otherwise.
    pub async fn click_if_there(&self, css: &str) -> bool {
        match self.find(css).await {
            Ok(element) => self.click(&element).await,
            Err(_) => false,
        }
    }

    /// Clicks `element`, and says whether it was still there.
    ///
    /// # Panics
    /// When the driver fails otherwise.
    pub async fn click(&self, element: &Element) -> bool {
        match self.send(Method::POST, &format!("/element/{}/click", element.0), Some(json!({})), COMMAND).await {
            Ok(_) => true,
            Err(gone) if gone.contains(": stale element reference: ") || gone.contains(": no such element: ") => false,
            Err(e) => panic!("{e}\n{}", self.driver.tail()),
        }
    }

    /// Empties a field.
    pub async fn clear(&self, element: &Element) {
        self.post(&format!("/element/{}/clear", element.0), json!({})).await;
    }

    /// Types into an element; the code points of the W3C from U+E000 on are special keys.
    pub async fn send_keys(&self, element: &Element, text: &str) {
        self.post(&format!("/element/{}/value", element.0), json!({"text": text})).await;
    }

    /// Presses and lets go of one key wherever the focus is.
    pub async fn press(&self, key: char) {
        self.chord(&[key]).await;
    }

    /// Presses keys one after the other while those before are held, and lets go of all.
    pub async fn chord(&self, keys: &[char]) {
        let down = keys.iter().map(|key| json!({"type": "keyDown", "value": key}));
        let up = keys.iter().rev().map(|key| json!({"type": "keyUp", "value": key}));
        self.keys(down.chain(up).collect()).await;
    }

    /// Types `text` wherever the focus is.
    pub async fn types(&self, text: &str) {
        let each = |key: char| [json!({"type": "keyDown", "value": key}), json!({"type": "keyUp", "value": key})];
        self.keys(text.chars().flat_map(each).collect()).await;
    }

    async fn keys(&self, actions: Vec<Value>) {
        self.post("/actions", json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})).await;
    }

    /// Runs the body of a JavaScript function in the page and returns its value.
    pub async fn execute(&self, script: &str, args: &[Value]) -> Value {
        self.post("/execute/sync", json!({"script": script, "args": args})).await
    }

    /// What the page looks like, as a PNG.
    pub async fn picture(&self) -> Vec<u8> {
        let encoded = self.get("/screenshot").await;
        let encoded = encoded.as_str().expect("a picture is text");
        base64::engine::general_purpose::STANDARD.decode(encoded).expect("a picture is base64")
    }

    /// Saves the page as `<name>.png` among the artefacts of the build.
    pub async fn screenshot(&self, name: &str) {
        std::fs::write(artefact(&format!("{name}.png")), self.picture().await).expect("a writable target directory");
    }

    /// Ends the application as the driver does it.
    pub async fn quit(&self) {
        self.send(Method::DELETE, "", None, COMMAND).await.unwrap_or_else(|e| panic!("quitting: {e}"));
    }

    async fn get(&self, path: &str) -> Value {
        self.send(Method::GET, path, None, COMMAND).await.unwrap_or_else(|e| panic!("{e}\n{}", self.driver.tail()))
    }

    async fn post(&self, path: &str, body: Value) -> Value {
        let answer = self.send(Method::POST, path, Some(body), COMMAND).await;
        answer.unwrap_or_else(|e| panic!("{e}\n{}", self.driver.tail()))
    }

    async fn send(&self, method: Method, path: &str, body: Option<Value>, limit: Duration) -> Result<Value, String> {
        let mut request = self.http.request(method.clone(), format!("{}{path}", self.base)).timeout(limit);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let answer = async { request.send().await?.json::<Value>().await };
        let mut answer: Value = answer.await.map_err(|e| format!("{method} {path}: {e:?}"))?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => Err(format!("{method} {path}: {error}: {}", value["message"].as_str().unwrap_or_default())),
            None => Ok(value),
        }
    }
}
