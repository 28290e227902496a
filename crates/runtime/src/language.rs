//! In which language Gavel speaks to the person.

use gavel_core::text::Language;

use crate::api;

impl api::Language {
    /// The language that is meant where the system's is `system`.
    #[must_use]
    pub const fn or_system(self, system: Language) -> Language {
        match self {
            Self::System => system,
            Self::English => Language::English,
            Self::Russian => Language::Russian,
        }
    }
}

/// The language of the system, as far as it is one that Gavel speaks; else English.
#[must_use]
pub fn of_system() -> Language {
    #[cfg(any(windows, target_os = "macos"))]
    if let Some(locale) = sys_locale::get_locale() {
        return Language::of_locale(&locale).unwrap_or_default();
    }
    of_environment(|name| std::env::var(name).ok())
}

/// The language that the environment asks for, by the rules of gettext: the locale is that of `LC_ALL`, `LC_MESSAGES` or
/// `LANG`, whichever is set first, and unless it is none, `LANGUAGE` lists what is preferred to it.
fn of_environment(variable: impl Fn(&str) -> Option<String>) -> Language {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default();
    let has_none = matches!(locale.split('.').next(), None | Some("" | "C" | "POSIX"));
    let preferred = set("LANGUAGE").filter(|_| !has_none).unwrap_or_default();
    preferred.split(':').chain([locale.as_str()]).find_map(Language::of_locale).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_a_language() {
        use Language::{English, Russian};
        let cases: &[(&[(&str, &str)], Language)] = &[
            (&[], English),
            (&[("LANG", "ru_RU.UTF-8")], Russian),
            (&[("LANG", "en_US.UTF-8")], English),
            (&[("LANG", "de_DE.UTF-8")], English),
            (&[("LANG", "C.UTF-8")], English),
            // What is set first of the three counts; empty is not set.
            (&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "ru_RU.UTF-8")], Russian),
            (&[("LANG", "ru_RU.UTF-8"), ("LC_MESSAGES", "en_GB.UTF-8")], English),
            (&[("LANG", "ru_RU.UTF-8"), ("LC_MESSAGES", "ru_RU.UTF-8"), ("LC_ALL", "C")], English),
            (&[("LANG", "ru_RU.UTF-8"), ("LC_MESSAGES", ""), ("LC_ALL", "")], Russian),
            // A list of preferences, of which the first that is spoken here counts.
            (&[("LANG", "de_DE.UTF-8"), ("LANGUAGE", "de:ru:en")], Russian),
            (&[("LANG", "ru_RU.UTF-8"), ("LANGUAGE", "en_GB:ru")], English),
            (&[("LANG", "ru_RU.UTF-8"), ("LANGUAGE", "")], Russian),
            (&[("LANG", "ru_RU.UTF-8"), ("LANGUAGE", "de:fr")], Russian),
            // Without a locale there are no preferences.
            (&[("LANG", "C.UTF-8"), ("LANGUAGE", "ru")], English),
            (&[("LANGUAGE", "ru")], English),
        ];
        for (set, language) in cases {
            let variable = |name: &str| set.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(of_environment(variable), *language, "{set:?}");
        }
    }

    #[test]
    fn the_choice_comes_before_the_system() {
        for system in [Language::English, Language::Russian] {
            assert_eq!(api::Language::System.or_system(system), system);
            assert_eq!(api::Language::English.or_system(system), Language::English);
            assert_eq!(api::Language::Russian.or_system(system), Language::Russian);
        }
    }
}
