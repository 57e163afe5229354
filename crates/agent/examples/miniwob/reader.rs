//! Reads a snapshot's text, as a model would: an accessibility tree or a numbered list becomes
//! the same list of things in reading order. Nothing else of a page reaches the policy.

/// What a thing is, as far as both forms tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Button,
    Link,
    Checkbox,
    Radio,
    /// Takes text.
    Field,
    /// A drop-down or a list to choose from.
    Choice,
    /// What is told and cannot be acted on.
    Text,
    /// Anything else that has an id.
    Other,
}

/// A line of a snapshot.
#[derive(Clone, Debug)]
pub(crate) struct Item {
    /// The id, as actions want it.
    pub(crate) id: Option<String>,
    pub(crate) kind: Kind,
    /// The role or the tag and type, as the form says it.
    pub(crate) word: String,
    /// The name, or the text.
    pub(crate) name: String,
    /// What a field holds.
    pub(crate) value: String,
    pub(crate) states: Vec<String>,
    /// What can be chosen.
    pub(crate) options: Vec<String>,
}

impl Item {
    pub(crate) fn is(&self, state: &str) -> bool {
        self.states.iter().any(|known| known == state)
    }

    /// Whether it can be opened and is not.
    pub(crate) fn is_closed(&self) -> bool {
        self.is("expanded=false") || self.is("collapsed")
    }
}

/// Reads a snapshot of either form.
pub(crate) fn read(representation: &str, text: &str) -> Vec<Item> {
    if representation == "list" { text.lines().filter_map(list_line).collect() } else { tree(text) }
}

fn tree(text: &str) -> Vec<Item> {
    let mut items: Vec<Item> = Vec::new();
    for line in text.lines() {
        let Some(line) = line.trim_start().strip_prefix("- ") else { continue };
        // A line that holds what YAML would read otherwise stands in single quotes.
        let whole = line.strip_prefix('\'').and_then(|quoted| {
            let end = quoted.rfind('\'')?;
            Some(format!("{}{}", quoted[..end].replace("''", "'"), &quoted[end + 1..]))
        });
        let mut words = Words(whole.as_deref().unwrap_or(line));
        let word = words.bare();
        if word.starts_with('/') {
            continue;
        }
        let mut item = Item::new(&word);
        if let Some(name) = words.quoted() {
            item.name = name;
        }
        while let Some(state) = words.bracketed() {
            match state.strip_prefix("ref=") {
                Some(id) => item.id = Some(id.to_owned()),
                None => item.states.push(state),
            }
        }
        let value = words.rest();
        if word == "option" {
            if let Some(choice) = items.iter_mut().rfind(|item| item.kind == Kind::Choice) {
                choice.options.push(item.name);
            }
            continue;
        }
        match item.kind {
            Kind::Field => item.value = value,
            _ if item.name.is_empty() => item.name = value,
            _ => {}
        }
        items.push(item);
    }
    items
}

fn list_line(line: &str) -> Option<Item> {
    let (number, rest) = line.trim_start().strip_prefix('[')?.split_once("] ")?;
    let mut words = Words(rest);
    let mut word = words.bare();
    let mut name = words.quoted();
    if name.is_none() {
        word = format!("{word} {}", words.bare());
        name = words.quoted();
    }
    let mut item = Item::new(&word);
    item.id = Some(format!("e{number}"));
    item.name = name.unwrap_or_default();
    loop {
        if let Some(text) = words.quoted() {
            // Behind a link its address, behind `=` what a field holds, behind `of` the choices.
            match item.states.last().map(String::as_str) {
                Some("=") => item.value = text,
                Some("of" | "|") => item.options.push(text),
                _ => {}
            }
            continue;
        }
        match words.bare() {
            word if word.is_empty() => break,
            word => item.states.push(word),
        }
    }
    Some(item)
}

impl Item {
    fn new(word: &str) -> Self {
        let kind = match word {
            "button" | "BUTTON" | "INPUT submit" | "INPUT button" => Kind::Button,
            "link" | "A" => Kind::Link,
            "checkbox" | "INPUT checkbox" => Kind::Checkbox,
            "radio" | "INPUT radio" => Kind::Radio,
            "textbox" | "searchbox" | "spinbutton" | "TEXTAREA" => Kind::Field,
            "combobox" | "listbox" | "SELECT" => Kind::Choice,
            "text" | "paragraph" | "heading" | "cell" | "rowheader" | "status" => Kind::Text,
            word if word.starts_with("INPUT") => Kind::Field,
            _ => Kind::Other,
        };
        let (name, value) = (String::new(), String::new());
        Self { id: None, kind, word: word.to_owned(), name, value, states: Vec::new(), options: Vec::new() }
    }
}

/// A line that is read word by word.
struct Words<'line>(&'line str);

impl Words<'_> {
    /// Letters up to a space or a colon at the end.
    fn bare(&mut self) -> String {
        let line = self.0.trim_start();
        if line.starts_with('"') {
            return String::new();
        }
        let end = line.find(' ').unwrap_or(line.len());
        let word = line[..end].strip_suffix(':').unwrap_or(&line[..end]);
        self.0 = &line[word.len()..];
        word.to_owned()
    }

    /// A text in double quotes.
    fn quoted(&mut self) -> Option<String> {
        let line = self.0.trim_start();
        let inside = line.strip_prefix('"')?;
        let mut escaped = false;
        let end = inside.char_indices().find(|&(_, character)| {
            let ends = character == '"' && !escaped;
            escaped = character == '\\' && !escaped;
            ends
        })?;
        let text = serde_json::from_str(&line[..end.0 + 2]).unwrap_or_else(|_| inside[..end.0].to_owned());
        self.0 = &inside[end.0 + 1..];
        Some(text)
    }

    /// `[checked]`
    fn bracketed(&mut self) -> Option<String> {
        let (state, rest) = self.0.trim_start().strip_prefix('[')?.split_once(']')?;
        self.0 = rest;
        Some(state.to_owned())
    }

    /// What stands behind a colon.
    fn rest(&mut self) -> String {
        let Some(rest) = self.0.trim_start().strip_prefix(':') else { return String::new() };
        let rest = rest.trim();
        if let Some(text) = Words(rest).quoted() {
            return text;
        }
        match rest.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
            Some(quoted) => quoted.replace("''", "'"),
            None => rest.to_owned(),
        }
    }
}
