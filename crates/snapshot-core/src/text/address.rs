//! Addresses: which run scripts, and which carry secrets.

use std::borrow::Cow;

/// Whether following the address would run a script. Browsers skip leading controls and blanks
/// and drop tabs and line ends anywhere (URL Standard, "basic URL parser").
pub(crate) fn is_script_address(address: &str) -> bool {
    const SCHEMES: &[&str] =
        &["javascript:", "vbscript:", "livescript:", "data:text/html", "data:application/xhtml", "data:image/svg"];
    // Nearly all addresses begin otherwise than those and what can stand before them, or have no
    // scheme.
    if !address.starts_with(|first: char| !first.is_ascii_graphic() || "jvldJVLD".contains(first))
        || !address.contains(':')
    {
        return false;
    }
    let mut letters = address
        .trim_start_matches(|character: char| {
            character <= ' ' || crate::text::invisible::without_invisible(character.encode_utf8(&mut [0; 4])).is_empty()
        })
        .chars()
        .filter(|character| !matches!(character, '\t' | '\n' | '\r'))
        .map(|character| character.to_ascii_lowercase());
    let head: String = letters.by_ref().take(24).collect();
    SCHEMES.iter().any(|scheme| head.starts_with(scheme))
}

/// What stands where a secret stood.
const REDACTED: &str = "REDACTED";

/// The address without user information, values of parameters named like secrets, and JSON Web
/// Tokens; borrowed when it has none.
pub(crate) fn without_secrets(address: &str) -> Cow<'_, str> {
    let mut result = Cow::Borrowed(address);
    if let Some(stripped) = without_user_information(address) {
        result = Cow::Owned(stripped);
    }
    let Some(first) = memchr::memchr2(b'?', b'#', result.as_bytes()) else { return result };
    let (path, parameters) = result.split_at(first);
    if !holds_secret(parameters) {
        return result;
    }
    let mut output = path.to_owned();
    for piece in parameters.split_inclusive(['?', '#', '&', ';']) {
        let (pair, separator) = match piece.char_indices().next_back() {
            Some((at, '?' | '#' | '&' | ';')) => piece.split_at(at),
            _ => (piece, ""),
        };
        match pair.split_once('=') {
            Some((key, value)) if is_secret(key.as_bytes(), value.as_bytes()) => {
                output.push_str(key);
                output.push('=');
                output.push_str(REDACTED);
            }
            _ => output.push_str(pair),
        }
        output.push_str(separator);
    }
    Cow::Owned(output)
}

/// Whether one of the parameters is a secret.
fn holds_secret(parameters: &str) -> bool {
    parameters.as_bytes().split(|byte| matches!(byte, b'?' | b'#' | b'&' | b';')).any(|pair| {
        let Some(equals) = memchr::memchr(b'=', pair) else { return false };
        is_secret(&pair[..equals], &pair[equals + 1..])
    })
}

fn is_secret(key: &[u8], value: &[u8]) -> bool {
    !value.is_empty() && (is_secret_key(key) || is_web_token(value))
}

/// `https://user:password@host/` without the password; a name alone is no secret.
fn without_user_information(address: &str) -> Option<String> {
    if !address.contains('@') {
        return None;
    }
    let scheme_end = address.find("://")? + 3;
    let authority_end = address[scheme_end..].find(['/', '?', '#']).map_or(address.len(), |end| scheme_end + end);
    let at = scheme_end + address[scheme_end..authority_end].rfind('@')?;
    let colon = scheme_end + address[scheme_end..at].find(':')?;
    Some(format!("{}:{REDACTED}{}", &address[..colon], &address[at..]))
}

fn is_secret_key(key: &[u8]) -> bool {
    const WHOLE: &[&str] = &[
        "token",
        "sig",
        "signature",
        "sid",
        "jwt",
        "otp",
        "pwd",
        "pass",
        "auth",
        "apikey",
        "api_key",
        "api-key",
        "csrf",
        "xsrf",
        "sessionid",
        "session_id",
        "phpsessid",
        "jsessionid",
        "ticket",
        "nonce",
        "credential",
        "code_verifier",
    ];
    const PART: &[&str] = &[
        "token",
        "secret",
        "password",
        "passwd",
        "signature",
        "credential",
        "sessionid",
        "session_id",
        "apikey",
        "api_key",
        "csrf",
        "authkey",
    ];
    let is = |key: &[u8], word: &str| key.eq_ignore_ascii_case(word.as_bytes());
    WHOLE.iter().any(|word| is(key, word))
        || PART.iter().any(|part| key.windows(part.len()).any(|window| is(window, part)))
}

/// `eyJ….….…`: a JSON Web Token is base64 of `{"` and two dots.
fn is_web_token(value: &[u8]) -> bool {
    value.starts_with(b"eyJ") && value.len() > 20 && memchr::memchr_iter(b'.', value).count() == 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn script_addresses_are_seen_through_their_disguises() {
        for address in [
            "javascript:x",
            " JaVaScRiPt:x",
            "java\nscript:x",
            "\u{1}javascript:x",
            "vbscript:x",
            "data:text/html,<b>",
            "\u{200b}javascript:x",
        ] {
            assert!(is_script_address(address), "{address:?}");
        }
        for address in [
            "/javascript:x",
            "https://a.example/?u=javascript:x",
            "#",
            "",
            "data:image/png;base64,AA",
            "mailto:a@b.example",
        ] {
            assert!(!is_script_address(address), "{address:?}");
        }
    }

    #[test]
    fn secrets_in_addresses_are_replaced_and_the_rest_stays() {
        for (address, wanted) in [
            ("/reset?user=ann&token=abc123#top", "/reset?user=ann&token=REDACTED#top"),
            ("https://a.example/cb#access_token=xyz&state=1", "https://a.example/cb#access_token=REDACTED&state=1"),
            ("https://ann:pw@a.example/x", "https://ann:REDACTED@a.example/x"),
            ("https://a.example/?q=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "https://a.example/?q=REDACTED"),
            ("/list?page=2&sort=price;x=1", "/list?page=2&sort=price;x=1"),
            ("mailto:ann@a.example?subject=Hi", "mailto:ann@a.example?subject=Hi"),
            ("/find?token=", "/find?token="),
        ] {
            assert_eq!(without_secrets(address), wanted);
        }
    }
}
