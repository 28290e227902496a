//! Which variables of Gavel's environment are looked up for whom.
//!
//! Whoever listens on this machine chooses what a provider is called there, where it is and what is sent to it: another
//! user of it, a container, the far end of a tunnel. So nothing that is told decides where a variable goes. This table
//! does; it holds for nobody else, not even for an address on this machine, which may be anybody's.

use url::Url;

struct Known {
    /// What OpenCode calls the provider.
    id: &'static str,
    variable: &'static str,
    hosts: &'static [&'static str],
}

const fn known(id: &'static str, variable: &'static str, hosts: &'static [&'static str]) -> Known {
    Known { id, variable, hosts }
}

/// The names are those that OpenCode itself uses.
const ALL: [Known; 11] = [
    known("anthropic", "ANTHROPIC_API_KEY", &["api.anthropic.com"]),
    known("cerebras", "CEREBRAS_API_KEY", &["api.cerebras.ai"]),
    known("deepinfra", "DEEPINFRA_API_KEY", &["api.deepinfra.com"]),
    known("deepseek", "DEEPSEEK_API_KEY", &["api.deepseek.com"]),
    known("groq", "GROQ_API_KEY", &["api.groq.com"]),
    known("mistral", "MISTRAL_API_KEY", &["api.mistral.ai"]),
    known("openai", "OPENAI_API_KEY", &["api.openai.com"]),
    known("openrouter", "OPENROUTER_API_KEY", &["openrouter.ai"]),
    known("perplexity", "PERPLEXITY_API_KEY", &["api.perplexity.ai"]),
    known("togetherai", "TOGETHER_API_KEY", &["api.together.xyz", "api.together.ai"]),
    known("xai", "XAI_API_KEY", &["api.x.ai"]),
];

/// The one variable that the provider `id` may be sent at `url`.
pub(super) fn of(id: &str, url: &Url) -> Option<&'static str> {
    let known = ALL.iter().find(|known| known.id == id)?;
    let is_its_own = url.scheme() == "https" && url.port().is_none() && known.hosts.contains(&url.host_str()?);
    is_its_own.then_some(known.variable)
}

/// `text` with the variables in it filled in; `None` if one of them isn't `own`, or isn't set, or anything else was to be
/// filled in.
pub(super) fn fill(text: &str, own: Option<&str>, variable: &dyn Fn(&str) -> Option<String>) -> Option<String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("{env:") {
        let (name, behind) = after.split_once('}')?;
        let own = own.filter(|own| *own == name)?;
        filled.push_str(before);
        filled.push_str(&variable(own).filter(|value| !value.is_empty())?);
        rest = behind;
    }
    filled.push_str(rest);
    // Files are read by nobody but the server.
    (!text.contains("{file:")).then_some(filled)
}
