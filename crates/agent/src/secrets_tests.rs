//! Canaries: a value in every form that it may take, which must not come through.

use super::*;

const CANARY: &str = "Kestrel/9 & \"Übermut\" <3";
const PLAIN: &str = "correct-horse-battery-77";

fn secrets() -> Secrets {
    Secrets::default()
        .with("canary", "https://bank.example", CANARY)
        .and_then(|secrets| secrets.with("plain", "https://*.shop.example", PLAIN))
        .expect("are kept")
}

#[test]
fn a_value_is_found_in_every_form() {
    let secrets = secrets();
    let percent = |value: &str| value.bytes().map(|byte| format!("%{byte:02x}")).collect::<String>();
    let form: String = url::form_urlencoded::byte_serialize(CANARY.as_bytes()).collect();
    let once = serde_json::to_string(CANARY).expect("is JSON");
    let address = url::Url::parse(&format!("https://x.example/?q={CANARY}")).expect("is an address");
    for text in [
        CANARY.to_owned(),
        CANARY.to_uppercase(),
        format!("before{CANARY}behind"),
        percent(CANARY),
        form,
        address.to_string(),
        serde_json::to_string(&once).expect("is JSON"),
        once,
        "Kestrel/9 &amp; &quot;Übermut&quot; &lt;3".to_owned(),
        CANARY.chars().rev().collect(),
        CANARY.bytes().map(|byte| format!("{byte:02X}")).collect(),
        PLAIN.chars().map(|character| format!("{character} ")).collect(),
        PLAIN.chars().map(|character| format!("{character}\u{200b}")).collect(),
        "correct-horse-b\n      attery-77".to_owned(),
        "- text: correct-horse-\n- text: battery-77".to_owned(),
        "battery-77 behind correct-horse".to_owned(),
    ] {
        assert!(secrets.are_in(&text), "{text}");
        let redacted = secrets.redact(&text);
        assert!(redacted.contains("<secret:"), "{text} became {redacted}");
        assert!(!secrets.are_in(&redacted), "{text} became {redacted}");
    }
}

#[test]
fn base64_is_found_wherever_the_value_begins() {
    let secrets = secrets();
    for before in ["", "a", "ab", "abc", "user:"] {
        for value in [CANARY, PLAIN] {
            for alphabet in [BASE64, BASE64_URL] {
                let text = base64(format!("{before}{value} and more").as_bytes(), alphabet);
                assert!(secrets.are_in(&text), "{before} {text}");
            }
        }
    }
    assert_eq!(base64(b"any carnal pleas", BASE64), "YW55IGNhcm5hbCBwbGVhcw");
}

#[test]
fn other_text_is_left_alone() {
    let secrets = secrets();
    for text in ["", "correct horses", "battery", "Kestrel", "the page says <secret:canary>", "Übermut"] {
        assert!(matches!(secrets.redact(text), Cow::Borrowed(same) if same == text), "{text}");
    }
    let text = format!("a {PLAIN} b {CANARY} c {PLAIN}{PLAIN} d");
    assert_eq!(secrets.redact(&text), "a <secret:plain> b <secret:canary> c <secret:plain><secret:plain> d");
}

#[test]
fn a_value_is_filled_in_on_its_own_origin_only() {
    let secrets = secrets();
    assert_eq!(secrets.fill("<secret:canary>", "https://bank.example/login?next=/").as_deref(), Ok(CANARY));
    assert_eq!(secrets.fill("a<secret:plain>b<secret:", "https://www.shop.example/"), Ok(format!("a{PLAIN}b<secret:")));
    for url in [
        "http://bank.example/",
        "https://bank.example.evil.example/",
        "https://bank.example@evil.example/",
        "https://bank.example:8443/",
        "https://www.bank.example/",
        "about:blank",
        "about:srcdoc",
        "data:text/html,https://bank.example/",
        "",
    ] {
        let error = secrets.fill("<secret:canary>", url).expect_err(url);
        assert!(error.contains("https://bank.example only") && !error.contains("Kestrel"), "{error}");
    }
    assert!(secrets.fill("<secret:other>", "https://bank.example/").expect_err("is unknown").contains("canary"));
}

#[test]
fn values_are_not_told_and_names_are_checked() {
    let secrets = secrets();
    assert!(!secrets.told().contains("Kestrel") && secrets.told().contains("<secret:canary> on https://bank.example"));
    assert_eq!(format!("{secrets:?}"), "[\"canary\", \"plain\"]");
    for (name, origin, value) in [
        ("", "https://a.example", "long enough"),
        ("a b", "https://a.example", "long enough"),
        ("canary", "https://a.example", "long enough"),
        ("new", "https://a.example", "abc"),
        ("new", "https://a.example/path", "long enough"),
    ] {
        let error = secrets.clone().with(name, origin, value).expect_err(name).to_string();
        assert!(!error.contains("long enough"), "{error}");
    }
}

#[test]
fn what_is_printed_commands_nothing() {
    assert_eq!(printable("a\u{1b}[31mb\r\nc\u{9b}1m", 100), "a [31mb  c 1m");
    assert_eq!(printable("abcdef", 3), "abc…");
}
