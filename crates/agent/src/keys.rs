//! Keys by the names of the web (UI Events, "Named key attribute values").

use std::fmt;

use serde_json::{Value, json};

/// A key with what is held down beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Key {
    name: String,
    /// The code that old pages look at; 0 for characters that need none.
    code: u32,
    /// What the key writes.
    text: Option<String>,
    modifiers: u32,
}

/// Named keys: name, code, what they write.
const NAMED: &[(&str, u32, &str)] = &[
    ("Enter", 13, "\r"),
    ("Tab", 9, ""),
    ("Escape", 27, ""),
    ("Backspace", 8, ""),
    ("Delete", 46, ""),
    ("Space", 32, " "),
    ("ArrowLeft", 37, ""),
    ("ArrowUp", 38, ""),
    ("ArrowRight", 39, ""),
    ("ArrowDown", 40, ""),
    ("PageUp", 33, ""),
    ("PageDown", 34, ""),
    ("End", 35, ""),
    ("Home", 36, ""),
];

/// Keys that are held down, with their bits in the protocol.
const MODIFIERS: &[(&str, u32)] = &[("Alt", 1), ("Control", 2), ("Meta", 4), ("Shift", 8)];

impl Key {
    /// Reads `Enter`, `a`, `Control+a`, `Shift+Tab`.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let unknown = || {
            let names: Vec<&str> = NAMED.iter().map(|(name, ..)| *name).collect();
            format!(
                "there is no key {text:?}; give one character or {}, with Control+, Shift+, Alt+ or Meta+ before it",
                names.join(", ")
            )
        };
        let mut rest = text;
        let mut modifiers = 0;
        while let Some((held, behind)) = rest.split_once('+').filter(|(_, behind)| !behind.is_empty()) {
            let (_, bit) = MODIFIERS.iter().find(|(name, _)| *name == held).ok_or_else(unknown)?;
            modifiers |= bit;
            rest = behind;
        }
        if let Some((name, code, written)) = NAMED.iter().find(|(name, ..)| *name == rest) {
            let name = if *name == "Space" { " " } else { name };
            let text = Some((*written).to_owned()).filter(|written| !written.is_empty());
            return Ok(Self { name: name.to_owned(), code: *code, text, modifiers });
        }
        let mut characters = rest.chars();
        let (Some(character), None) = (characters.next(), characters.next()) else { return Err(unknown()) };
        // With Control or Alt held down, keys command and do not write.
        let writes = modifiers & 7 == 0;
        Ok(Self {
            name: character.to_string(),
            code: if character.is_ascii_alphanumeric() { u32::from(character.to_ascii_uppercase()) } else { 0 },
            text: writes.then(|| character.to_string()),
            modifiers,
        })
    }

    /// The events of pressing and letting go.
    pub(crate) fn events(&self) -> [Value; 2] {
        let event = |kind: &str| {
            json!({
                "type": kind, "key": self.name, "modifiers": self.modifiers,
                "windowsVirtualKeyCode": self.code, "nativeVirtualKeyCode": self.code
            })
        };
        let mut down = event(if self.text.is_some() { "keyDown" } else { "rawKeyDown" });
        if let Some(text) = &self.text {
            down["text"] = text.as_str().into();
        }
        [down, event("keyUp")]
    }
}

impl fmt::Display for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, bit) in MODIFIERS {
            if self.modifiers & bit != 0 {
                write!(formatter, "{name}+")?;
            }
        }
        formatter.write_str(if self.name == " " { "Space" } else { &self.name })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_read_and_written_back() {
        for text in ["Enter", "a", "é", "+", "Control+a", "Alt+Shift+Tab", "Control++", "Space"] {
            assert_eq!(Key::read(text).expect(text).to_string(), text);
        }
        for wrong in ["", "enter", "ab", "Hyper+a", "Control+", "+a"] {
            assert!(Key::read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn commands_write_nothing() {
        assert!(Key::read("Control+a").expect("is a key").events()[0].get("text").is_none());
        assert_eq!(Key::read("Enter").expect("is a key").events()[0]["text"], "\r");
    }
}
