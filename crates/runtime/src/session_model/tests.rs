use super::*;

fn provider(package: &str, base_url: &str, key: Option<&str>, headers: &[(&str, &str)]) -> Provider {
    let pair = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    Provider {
        package: package.to_owned(),
        base_url: base_url.to_owned(),
        model: "m".to_owned(),
        key: key.map(str::to_owned),
        headers: headers.iter().map(pair).collect(),
    }
}

/// An environment in which everything is set.
fn everything(name: &str) -> Option<String> {
    Some(format!("value of {name}"))
}

const COMPATIBLE: &str = "@ai-sdk/openai-compatible";
const OPENAI: &str = "https://api.openai.com/v1";
const UNHAD: &str = "its key is not to be had";
const HERE: &str = "http://127.0.0.1:4000/v1";

fn made(provider: Provider, id: &str) -> Result<Endpoint, &'static str> {
    endpoint(provider, id, &everything)
}

#[test]
fn the_package_says_which_protocol_and_where() {
    let url = "https://p.example/v1";
    for (package, base_url, expected) in [
        (COMPATIBLE, url, Ok((Kind::OpenAi, url))),
        ("@ai-sdk/openai", "", Ok((Kind::OpenAi, "https://api.openai.com/v1"))),
        ("@ai-sdk/anthropic", "", Ok((Kind::Anthropic, "https://api.anthropic.com/v1"))),
        ("@ai-sdk/anthropic", url, Ok((Kind::Anthropic, url))),
        ("@openrouter/ai-sdk-provider", url, Ok((Kind::OpenAi, url))),
        (COMPATIBLE, "", Err("its address is not told")),
        ("@ai-sdk/amazon-bedrock", url, Err("its protocol is not one that Gavel speaks")),
        ("@ai-sdk/google", url, Err("its protocol is not one that Gavel speaks")),
        ("/home/dev/project/provider.js", url, Err("its protocol is not one that Gavel speaks")),
        ("", url, Err("its protocol is not one that Gavel speaks")),
        (COMPATIBLE, "file:///etc/passwd", Err("its address makes no sense")),
        (COMPATIBLE, "https://evil.example/{env:P_KEY}", Err("its address makes no sense")),
        (COMPATIBLE, "nonsense", Err("its address makes no sense")),
    ] {
        let made = made(provider(package, base_url, Some("sk-1"), &[]), "p");
        assert_eq!(made.map(|made| (made.kind, made.base_url)), expected.map(|(kind, url)| (kind, url.to_owned())));
    }
}

#[test]
fn a_key_is_the_servers_own_or_the_variable_of_a_provider_that_is_known() {
    let key = |text: &str| Ok(Access::Key(Key::new(text).unwrap()));
    for (told, expected) in [
        (Some("sk-1"), key("sk-1")),
        (Some("{env:OPENAI_API_KEY}"), key("value of OPENAI_API_KEY")),
        (Some("Bearer {env:OPENAI_API_KEY}"), key("Bearer value of OPENAI_API_KEY")),
        (Some("{env:OPENAI_API_KEY}{env:GITHUB_TOKEN}"), Err(UNHAD)),
        (Some("{env:OPENAI_API_KEY"), Err(UNHAD)),
        (Some("{env:OPENAI_API_KEY }"), Err(UNHAD)),
        (Some("{file:~/.ssh/id_ed25519}"), Err(UNHAD)),
        (Some("{file:/a}{env:OPENAI_API_KEY}"), Err(UNHAD)),
        (Some("  "), Err("its key is empty")),
        (None, Err("its key is not told")),
    ] {
        let made = made(provider(COMPATIBLE, OPENAI, told, &[]), "openai");
        assert_eq!(made.map(|made| made.access), expected, "{told:?}");
    }
    for nothing in [None, Some(String::new())] {
        let told = provider(COMPATIBLE, OPENAI, Some("{env:OPENAI_API_KEY}"), &[]);
        let unset = endpoint(told, "openai", &|_| nothing.clone());
        assert_eq!(unset.map(|made| made.access), Err(UNHAD));
    }
}

#[test]
fn a_variable_goes_where_it_belongs_and_nowhere_else() {
    for (id, name, url, filled) in [
        ("openai", "OPENAI_API_KEY", OPENAI, true),
        ("openai", "OPENAI_API_KEY", "https://API.OpenAI.com:443/v1", true),
        ("anthropic", "ANTHROPIC_API_KEY", "https://api.anthropic.com/v1", true),
        ("cerebras", "CEREBRAS_API_KEY", "https://api.cerebras.ai/v1", true),
        ("deepinfra", "DEEPINFRA_API_KEY", "https://api.deepinfra.com/v1/openai", true),
        ("deepseek", "DEEPSEEK_API_KEY", "https://api.deepseek.com", true),
        ("groq", "GROQ_API_KEY", "https://api.groq.com/openai/v1", true),
        ("mistral", "MISTRAL_API_KEY", "https://api.mistral.ai/v1", true),
        ("openrouter", "OPENROUTER_API_KEY", "https://openrouter.ai/api/v1", true),
        ("perplexity", "PERPLEXITY_API_KEY", "https://api.perplexity.ai", true),
        ("togetherai", "TOGETHER_API_KEY", "https://api.together.xyz/v1", true),
        ("xai", "XAI_API_KEY", "https://api.x.ai/v1", true),
        // All of it is said by whoever listens there: name, variable and address fit each other, and prove nothing.
        ("aws", "AWS_SECRET_ACCESS_KEY", "https://evil.example/v1", false),
        ("github", "GITHUB_TOKEN", "https://evil.example/v1", false),
        ("openai", "OPENAI_API_KEY", "https://evil.example/v1", false),
        ("openai", "OPENAI_API_KEY", "https://api.openai.com.evil.example/v1", false),
        ("openai", "OPENAI_API_KEY", "https://api.openai.com@evil.example/v1", false),
        ("openai", "OPENAI_API_KEY", "https://evil.example/api.openai.com", false),
        ("openai", "OPENAI_API_KEY", "https://evilapi.openai.com/v1", false),
        ("openai", "OPENAI_API_KEY", "https://api.openai.com:8443/v1", false),
        ("openai", "OPENAI_API_KEY", "http://api.openai.com/v1", false),
        ("openai", "OPENAI_API_KEY", "https://api.groq.com/openai/v1", false),
        ("openai", "OPENAI_ORG_ID", OPENAI, false),
        ("openai", "AWS_SECRET_ACCESS_KEY", OPENAI, false),
        ("openai", "GROQ_API_KEY", OPENAI, false),
        ("open", "OPENAI_API_KEY", OPENAI, false),
        ("", "OPENAI_API_KEY", OPENAI, false),
        // Who listens on this machine may be anybody.
        ("openai", "OPENAI_API_KEY", HERE, false),
        ("litellm", "LITELLM_MASTER_KEY", HERE, false),
        ("litellm", "LITELLM_MASTER_KEY", "http://localhost:4000/v1", false),
        ("litellm", "LITELLM_MASTER_KEY", "http://[::1]:4000/v1", false),
    ] {
        let template = format!("{{env:{name}}}");
        let value = format!("value of {name}");
        let as_key = made(provider(COMPATIBLE, url, Some(&template), &[]), id).map(|made| made.access);
        let expected = if filled { Ok(Access::Key(Key::new(&value).unwrap())) } else { Err(UNHAD) };
        assert_eq!(as_key, expected, "{id} {name} {url}");
        let as_header = made(provider(COMPATIBLE, url, Some("sk-1"), &[("x-key", &template)]), id);
        let expected = Headers::new(vec![("x-key".to_owned(), value)]);
        let expected = if filled { Ok(expected) } else { Err("a header is not to be had") };
        assert_eq!(as_header.map(|made| made.headers), expected, "{id} {name} {url}");
    }
}

#[test]
fn headers_pass_through_and_may_be_the_key() {
    let headers = [("x-api-key", "{env:OPENAI_API_KEY}"), ("x-team", "blue")];
    let made_of =
        |base_url: &str, headers: &[(&str, &str)], id| made(provider(COMPATIBLE, base_url, None, headers), id);
    let endpoint = made_of(OPENAI, &headers, "openai").unwrap();
    let expected = [("x-api-key", "value of OPENAI_API_KEY"), ("x-team", "blue")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    assert_eq!((endpoint.access, endpoint.headers), (Access::Open, Headers::new(expected)));
    assert_eq!(made_of("https://p.example/v1", &headers[1..], "p").map(|_| ()), Err("its key is not told"));
    // A model on this machine usually wants none.
    assert_eq!(made_of(HERE, &[], "ollama").map(|made| made.access), Ok(Access::Open));
}
