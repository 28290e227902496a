//! A person's hand on the window: the same things are done with the mouse, or with the keyboard alone.

use std::time::Duration;

use serde_json::json;

use super::WebDriver;
use super::web_driver::Element;
use crate::wait::eventually;

const TAB: char = '\u{E004}';
const ENTER: char = '\u{E007}';
const CONTROL: char = '\u{E009}';
const BACKSPACE: char = '\u{E003}';
const DOWN: char = '\u{E015}';
const UP: char = '\u{E013}';

/// How long anything may take to be there. Machines that run tests are busy.
const DEADLINE: Duration = Duration::from_secs(30);

/// More than any question has to choose from.
const CHOICES: usize = 12;

/// More stops of the Tab key than any view has.
const STOPS: usize = 150;

/// What a person can act on, and how a screen reader calls it.
const NAMES: &str = "
    const ALL = 'button, summary, input, textarea, select';
    const text = (element) => {
        const words = element?.cloneNode(true);
        words?.querySelectorAll('[aria-hidden=true], kbd, select').forEach((one) => one.remove());
        return (words?.textContent ?? '').replace(/\\s+/g, ' ').trim();
    };
    const nameOf = (element) => {
        const by = element.getAttribute('aria-labelledby');
        const labels = by ? by.split(' ').map((id) => document.getElementById(id)) : [...(element.labels ?? [])];
        return element.getAttribute('aria-label') ?? (labels.length ? labels.map(text).join(' ') : text(element));
    };
    const isCalled = (element, name) => {
        const called = nameOf(element);
        return called.startsWith(name) && !/^[\\p{L}\\p{N}]/u.test(called.slice(name.length));
    };
    const isSeen = (element) => element.getClientRects().length > 0 && !element.disabled;
";

/// What acts on a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// Clicks, and letters only into a field that was clicked.
    Mouse,
    /// Keys alone.
    Keyboard,
}

/// Both, to do everything twice.
pub const BOTH: [By; 2] = [By::Mouse, By::Keyboard];

/// A hand on a window.
#[derive(Debug, Clone, Copy)]
pub struct Hand<'a> {
    window: &'a WebDriver,
    by: By,
}

impl<'a> Hand<'a> {
    /// A hand that acts on `window`.
    pub const fn on(window: &'a WebDriver, by: By) -> Self {
        Self { window, by }
    }

    /// Goes to a view, which is the `place`th of the rail and has this heading.
    pub async fn goes_to(&self, place: u8, heading: &str) {
        match self.by {
            By::Mouse => self.window.click_css(&format!("nav li:nth-child({place}) button"), DEADLINE).await,
            By::Keyboard => self.window.chord(&[CONTROL, char::from(b'0' + place)]).await,
        }
        let there = format!("return document.querySelector('h1')?.textContent.includes('{heading}') ?? false");
        eventually(format!("the view {heading}"), DEADLINE, async || {
            self.window.execute(&there, &[]).await == json!(true)
        })
        .await;
    }

    /// Presses the button, or opens what is folded up, of this name. (Here and below more may follow a name: its key, say.)
    pub async fn presses(&self, name: &str) {
        match self.by {
            By::Mouse => self.clicks(name).await,
            By::Keyboard => {
                self.reaches(name).await;
                self.window.chord(&[ENTER]).await;
            }
        }
    }

    /// Does what has a key of its own: presses that, or clicks the button that names it. Nothing, if it isn't there now.
    pub async fn shortcut(&self, key: &str) {
        let button = format!("button[aria-keyshortcuts={key}]");
        let key = if key == "Enter" { ENTER } else { key.to_ascii_lowercase().chars().next().unwrap_or_default() };
        match self.by {
            By::Mouse => _ = self.window.click_if_there(&button).await,
            By::Keyboard if self.window.find(&button).await.is_ok() => self.window.chord(&[key]).await,
            By::Keyboard => {}
        }
    }

    /// Fills the field of this name with `text`, in place of what is there.
    pub async fn fills(&self, name: &str, text: &str) {
        match self.by {
            By::Mouse => self.clicks(name).await,
            By::Keyboard => self.reaches(name).await,
        }
        self.window.chord(&[CONTROL, 'a']).await;
        self.window.chord(&[BACKSPACE]).await;
        self.window.types(text).await;
        let now = "return document.activeElement.value";
        eventually(format!("`{text}` in {name}"), DEADLINE, async || {
            self.window.execute(now, &[]).await == json!(text)
        })
        .await;
    }

    /// Chooses the one of several that has this name, or ticks the box that has it.
    pub async fn chooses(&self, name: &str) {
        match self.by {
            By::Mouse => self.clicks(name).await,
            By::Keyboard => {
                self.reaches_group_of(name).await;
                let is_box = self.window.execute("return document.activeElement.type === 'checkbox'", &[]).await;
                if is_box == json!(true) {
                    return self.window.chord(&[' ']).await;
                }
                // Where the last one doesn't lead back to the first, the way is back.
                for arrow in [DOWN, UP].into_iter().flat_map(|arrow| [arrow; CHOICES]) {
                    if self.is_on(name).await {
                        break;
                    }
                    self.window.chord(&[arrow]).await;
                }
                self.window.chord(&[' ']).await;
            }
        }
        let chosen = format!(
            "{NAMES} return [...document.querySelectorAll('input')].some((one) => one.checked && isCalled(one, {}))",
            json!(name)
        );
        eventually(format!("{name} to be chosen"), DEADLINE, async || {
            if self.window.execute(&chosen, &[]).await == json!(true) { Ok(()) } else { Err(self.names().await) }
        })
        .await;
    }

    /// Sets the list of this name to its entry that begins with `entry`.
    pub async fn sets(&self, name: &str, entry: &str) {
        match self.by {
            By::Mouse => {
                let script = format!(
                    "{NAMES} const list = [...document.querySelectorAll('select')].find((one) => isCalled(one, {}));
                    return [...(list?.options ?? [])].find((one) => one.label.startsWith({})) ?? null",
                    json!(name),
                    json!(entry)
                );
                let option = self.finds(&script, entry).await;
                assert!(self.window.click(&option).await, "{entry} went away");
            }
            By::Keyboard => {
                self.reaches(name).await;
                self.window.types(entry).await;
            }
        }
        let now = format!(
            "{NAMES} return [...document.querySelectorAll('select')].some((one) => isCalled(one, {})
                && one.selectedOptions[0]?.label.startsWith({}))",
            json!(name),
            json!(entry)
        );
        eventually(format!("{name} to be {entry}"), DEADLINE, async || {
            self.window.execute(&now, &[]).await == json!(true)
        })
        .await;
    }

    async fn clicks(&self, name: &str) {
        let script = format!(
            "{NAMES} return [...document.querySelectorAll(ALL)]
                .find((one) => isSeen(one) && isCalled(one, {})) ?? null",
            json!(name)
        );
        eventually(format!("a click on `{name}`"), DEADLINE, async || {
            let element = self.finds(&script, name).await;
            // The page may have taken it away meanwhile.
            self.window.click(&element).await
        })
        .await;
    }

    async fn finds(&self, script: &str, name: &str) -> Element {
        eventually(format!("`{name}` in the window"), DEADLINE, async || {
            let found = self.window.execute(script, &[]).await;
            match Element::of(&found) {
                Some(element) => Ok(element),
                None => Err(self.names().await),
            }
        })
        .await
    }

    /// Goes on with the Tab key until what has the focus is called so.
    async fn reaches(&self, name: &str) {
        self.tabs(name, async || self.is_on(name).await).await;
    }

    /// Goes on until the focus is on one of those among which the one called so is.
    async fn reaches_group_of(&self, name: &str) {
        let within = format!(
            "{NAMES} const now = document.activeElement;
            if (isCalled(now, {0})) return now.matches('input');
            if (now.type !== 'radio') return false;
            return [...document.getElementsByName(now.name)].some((one) => isCalled(one, {0}))",
            json!(name)
        );
        self.tabs(name, async || self.window.execute(&within, &[]).await == json!(true)).await;
    }

    async fn tabs(&self, name: &str, there: impl AsyncFn() -> bool) {
        let mut stops = Vec::new();
        eventually(format!("the way to `{name}` by Tab"), DEADLINE, async || {
            stops.clear();
            for _ in 0..STOPS {
                if there().await {
                    return Ok(());
                }
                self.window.chord(&[TAB]).await;
                let stop = self.focused().await;
                stops.push(stop);
            }
            Err(format!("{stops:?}"))
        })
        .await;
    }

    /// Whether the focus is on what is called so.
    async fn is_on(&self, name: &str) -> bool {
        let script = format!("{NAMES} return isCalled(document.activeElement, {})", json!(name));
        self.window.execute(&script, &[]).await == json!(true)
    }

    /// The names of all that can be acted on, to say what there was instead.
    async fn names(&self) -> String {
        let script = format!(
            "{NAMES} return [...document.querySelectorAll(ALL)].map((one) => nameOf(one) + (one.checked ? ' (chosen)' : ''))"
        );
        self.window.execute(&script, &[]).await.to_string()
    }

    /// The name of what has the focus.
    async fn focused(&self) -> String {
        let script = format!("{NAMES} return document.activeElement ? nameOf(document.activeElement) : ''");
        self.window.execute(&script, &[]).await.as_str().unwrap_or_default().to_owned()
    }
}
