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
fn a_key_is_the_servers_own_or_a_variable_that_is_the_providers() {
    let key = |text: &str| Ok(Access::Key(Key::new(text).unwrap()));
    let missing = Err("its key is not to be had");
    for (id, told, expected) in [
        ("p", Some("sk-1"), key("sk-1")),
        ("openai", Some("{env:OPENAI_API_KEY}"), key("value of OPENAI_API_KEY")),
        ("my-proxy", Some("Bearer {env:MY_PROXY_KEY}"), key("Bearer value of MY_PROXY_KEY")),
        // Whoever writes a provider into a configuration must not be able to have anything else sent to it.
        ("evil", Some("{env:OPENAI_API_KEY}"), missing.clone()),
        ("evil", Some("{env:AWS_SECRET_ACCESS_KEY}"), missing.clone()),
        ("evil", Some("{env:HOME}"), missing.clone()),
        ("p", Some("{env:P_KEY}{env:GITHUB_TOKEN}"), missing.clone()),
        ("open", Some("{env:OPENAI_API_KEY}"), missing.clone()),
        ("openai", Some("{env:OPENAI}"), missing.clone()),
        ("openai", Some("{env:OPENAI_}"), missing.clone()),
        ("", Some("{env:_KEY}"), missing.clone()),
        ("-", Some("{env:__KEY}"), missing.clone()),
        ("p", Some("{env:P_KEY"), missing.clone()),
        ("p", Some("{file:~/.ssh/id_ed25519}"), missing.clone()),
        ("p", Some("{file:/a}{env:P_KEY}"), missing),
        ("p", Some("  "), Err("its key is empty")),
        ("p", None, Err("its key is not told")),
    ] {
        let made = made(provider(COMPATIBLE, "https://p.example/v1", told, &[]), id);
        assert_eq!(made.map(|made| made.access), expected, "{id} {told:?}");
    }
    let unset = endpoint(provider(COMPATIBLE, HERE, Some("{env:P_KEY}"), &[]), "p", &|_| None);
    assert_eq!(unset.map(|made| made.access), Err("its key is not to be had"));
}

#[test]
fn headers_pass_through_and_may_be_the_key() {
    let headers = [("x-litellm-api-key", "{env:LITELLM_MASTER_KEY}"), ("x-team", "blue")];
    let made_of =
        |base_url: &str, headers: &[(&str, &str)], id| made(provider(COMPATIBLE, base_url, None, headers), id);
    let endpoint = made_of("https://p.example/v1", &headers, "litellm").unwrap();
    let expected = [("x-litellm-api-key", "value of LITELLM_MASTER_KEY"), ("x-team", "blue")];
    let expected = expected.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    assert_eq!((endpoint.access, endpoint.headers), (Access::Open, Headers::new(expected)));
    assert_eq!(made_of(HERE, &headers, "evil").map(|_| ()), Err("a header is not to be had"));
    assert_eq!(made_of("https://p.example/v1", &headers[1..], "p").map(|_| ()), Err("its key is not told"));
    // A model on this machine usually wants none.
    assert_eq!(made_of(HERE, &[], "ollama").map(|made| made.access), Ok(Access::Open));
}
