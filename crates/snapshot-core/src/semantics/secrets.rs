//! Which fields hold what must not reach a model: passwords, one-time codes, card data.

use super::values::input_kind;
use crate::document::{Document, NodeId, name};

/// Whether the field's value is never to be shown.
///
/// Beside what `type` and `autocomplete` say (HTML Standard, "autofill detail tokens"), names are
/// taken for evidence: pages often leave out the attributes, and a value that is missing costs
/// less than a secret that is told.
pub(super) fn is_secret(document: &Document, node: NodeId) -> bool {
    let input = document.is_html(node, name::INPUT);
    if !input && !document.is_html(node, name::TEXTAREA) {
        return false;
    }
    let kind = if input { input_kind(document, node) } else { "text" };
    match kind {
        "password" => return true,
        "text" | "tel" | "number" | "search" => {}
        _ => return false,
    }
    let autocomplete = document.attribute(node, name::AUTOCOMPLETE).unwrap_or("").to_ascii_lowercase();
    if autocomplete.split_ascii_whitespace().any(is_secret_token) {
        return true;
    }
    let identifiers = [name::NAME, name::ID, name::AUTOCOMPLETE, name::DATA_TESTID]
        .iter()
        .filter_map(|&attribute| document.attribute(node, attribute));
    if input && identifiers.into_iter().any(is_secret_identifier) {
        return true;
    }
    // One box for each digit of a code.
    let one_character = document.attribute(node, name::MAXLENGTH).is_some_and(|length| length.trim() == "1");
    let numeric = document
        .attribute(node, name::INPUTMODE)
        .is_some_and(|mode| mode.eq_ignore_ascii_case("numeric") || mode.eq_ignore_ascii_case("decimal"));
    input && one_character && (numeric || kind != "search")
}

fn is_secret_token(token: &str) -> bool {
    matches!(token, "current-password" | "new-password" | "one-time-code")
        || (token.starts_with("cc-") && !matches!(token, "cc-name" | "cc-given-name" | "cc-family-name" | "cc-type"))
}

/// Whether a name or id, cut into words, speaks of a secret: `card_number`, `cardNumber`,
/// `otp-3`, `cvc`.
fn is_secret_identifier(identifier: &str) -> bool {
    const WORDS: &[&str] =
        &["otp", "totp", "mfa", "tan", "pin", "cvc", "cvv", "cvv2", "csc", "password", "passwd", "passcode", "secret"];
    const JOINED: &[&str] = &[
        "cardnumber",
        "cardno",
        "cardnum",
        "ccnumber",
        "ccnum",
        "ccno",
        "cccsc",
        "cccvc",
        "cccvv",
        "creditcard",
        "securitycode",
        "cardcode",
        "onetimecode",
        "onetimepassword",
        "verificationcode",
        "authcode",
        "otpcode",
        "twofactorcode",
        "smscode",
    ];
    let words = words(identifier);
    if words.iter().any(|word| WORDS.contains(&word.trim_end_matches(|digit: char| digit.is_ascii_digit()))) {
        return true;
    }
    let joined: String = words.concat();
    JOINED.iter().any(|secret| joined.contains(secret))
}

/// The words of an identifier in lower case: cut at what is no letter or digit, and where a
/// capital follows a small letter.
fn words(identifier: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for character in identifier.chars().take(200) {
        let begins = character.is_uppercase() && small;
        small = character.is_lowercase();
        if begins || !character.is_alphanumeric() {
            words.push(String::new());
        }
        if character.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(character.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, parse_html};

    #[test]
    fn secrets_are_told_by_type_autocomplete_name_and_shape() {
        for (html, expected) in [
            ("<input type=PASSWORD>", true),
            ("<input autocomplete='section-a one-time-code'>", true),
            ("<input autocomplete=cc-number>", true),
            ("<input autocomplete=cc-name>", false),
            ("<input name=cardNumber>", true),
            ("<input id=card_number type=tel>", true),
            ("<input name=otp-3>", true),
            ("<input name=otp3>", true),
            ("<input name=cvc>", true),
            ("<input maxlength=1 inputmode=numeric>", true),
            ("<input maxlength=1>", true),
            ("<input name=shipping>", false),
            ("<input name=pincode-hint value=x>", false),
            ("<input name=discard>", false),
            ("<input type=checkbox name=otp>", false),
            ("<input name=q type=search>", false),
            ("<input type=email name=email>", false),
            ("<textarea name=notes></textarea>", false),
        ] {
            let document = parse_html(html, &ParseOptions::default()).expect("parses").document;
            let field = document
                .descendants(NodeId::DOCUMENT)
                .find(|&node| document.is_html(node, name::INPUT) || document.is_html(node, name::TEXTAREA));
            assert_eq!(field.map(|field| is_secret(&document, field)), Some(expected), "{html}");
        }
    }
}
