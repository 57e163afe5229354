//! What the agent can do on a page, and how a model says so.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// One step. In JSON the action's name stands beside its parameters:
/// `{"action":"click","ref":"e12"}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "action", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum Action {
    /// Click an element.
    Click {
        /// Its id in the snapshot.
        #[serde(rename = "ref")]
        reference: String,
    },
    /// Replace what a field holds.
    Type {
        /// The field's id.
        #[serde(rename = "ref")]
        reference: String,
        /// The new text.
        text: String,
        /// Whether to press Enter behind it.
        #[serde(default)]
        submit: bool,
    },
    /// Choose an option of a drop-down by what it says.
    Select {
        /// The drop-down's id.
        #[serde(rename = "ref")]
        reference: String,
        /// The option's text.
        option: String,
    },
    /// Press a key: `Enter`, `Escape`, `ArrowDown`, `Control+a`.
    Press {
        /// The key.
        key: String,
    },
    /// Move the pointer over an element.
    Hover {
        /// Its id.
        #[serde(rename = "ref")]
        reference: String,
    },
    /// Bring an element into view.
    Scroll {
        /// Its id.
        #[serde(rename = "ref")]
        reference: String,
    },
    /// Go to an address.
    Navigate {
        /// The address.
        url: String,
    },
    /// Go back to the page before.
    Back,
    /// Wait for the page.
    Wait {
        /// At most so long.
        seconds: f64,
    },
    /// See what a snapshot has left out.
    Expand {
        /// Ids as the snapshot gives them, `e41-e77`.
        refs: String,
    },
    /// Look for what the page says about something.
    Read {
        /// What is looked for.
        query: String,
    },
    /// Choose a file for a field that takes files.
    Upload {
        /// The field's id.
        #[serde(rename = "ref")]
        reference: String,
        /// One of the files that the user has named.
        file: String,
    },
    /// Write down what is to be done.
    Plan {
        /// The plan; it takes the place of the one before.
        plan: String,
    },
    /// End, with an answer for the user.
    Done {
        /// The answer.
        answer: String,
        /// Whether the task was done.
        #[serde(default = "yes")]
        success: bool,
    },
}

fn yes() -> bool {
    true
}

impl Action {
    /// The id that the action is about.
    pub fn reference(&self) -> Option<&str> {
        match self {
            Self::Click { reference }
            | Self::Type { reference, .. }
            | Self::Select { reference, .. }
            | Self::Hover { reference }
            | Self::Upload { reference, .. }
            | Self::Scroll { reference } => Some(reference),
            _ => None,
        }
    }

    /// Reads a model's words: one JSON object, alone, in a code block or between other words.
    ///
    /// # Errors
    /// Says in words for the model what is wrong.
    pub fn read(reply: &str) -> Result<Self, String> {
        Self::from_value(Self::value(reply)?)
    }

    /// The JSON object in a model's words.
    ///
    /// # Errors
    /// Says in words for the model that there is none.
    pub fn value(reply: &str) -> Result<Value, String> {
        let object = first_object(reply).ok_or_else(|| {
            "the reply holds no JSON object; answer with one action, such as {\"action\":\"click\",\"ref\":\"e12\"}"
                .to_owned()
        })?;
        serde_json::from_str(object).map_err(|error| format!("the reply is no JSON: {error}"))
    }

    /// Reads an action in JSON.
    ///
    /// # Errors
    /// Says in words for the model what is wrong.
    pub fn from_value(value: Value) -> Result<Self, String> {
        let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        let name = value.get("action").and_then(Value::as_str).unwrap_or_default().to_owned();
        if !known.contains(&name.as_str()) {
            return Err(format!("there is no action {name:?}; the actions are {}", known.join(", ")));
        }
        serde_json::from_value(value).map_err(|error| format!("{name} cannot be read: {error}"))
    }
}

/// The first balanced object in a text, strings minded.
fn first_object(text: &str) -> Option<&str> {
    let start = text.find('{')?;
    let (mut depth, mut quoted, mut escaped) = (0_usize, false, false);
    for (offset, byte) in text.bytes().enumerate().skip(start) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            b'{' if !quoted => depth += 1,
            b'}' if !quoted => {
                depth -= 1;
                if depth == 0 {
                    return text.get(start..=offset);
                }
            }
            _ => {}
        }
    }
    None
}

/// An action as a tool for a model.
#[derive(Clone, Copy, Debug)]
pub struct Tool {
    /// Its name.
    pub name: &'static str,
    /// What it does, for the model.
    pub description: &'static str,
    /// Its parameters: name, JSON type, whether it is required, what it is.
    pub parameters: &'static [(&'static str, &'static str, bool, &'static str)],
}

const REF: (&str, &str, bool, &str) = ("ref", "string", true, "the element's id in the snapshot, such as e12");

/// All actions.
pub const TOOLS: &[Tool] = &[
    Tool { name: "click", description: "Click an element.", parameters: &[REF] },
    Tool {
        name: "type",
        description: "Replace what a field holds.",
        parameters: &[
            REF,
            ("text", "string", true, "the new text"),
            ("submit", "boolean", false, "press Enter behind it"),
        ],
    },
    Tool {
        name: "select",
        description: "Choose an option of a drop-down.",
        parameters: &[REF, ("option", "string", true, "what the option says")],
    },
    Tool {
        name: "press",
        description: "Press a key.",
        parameters: &[("key", "string", true, "Enter, Escape, Tab, ArrowDown, Control+a, …")],
    },
    Tool { name: "hover", description: "Move the pointer over an element.", parameters: &[REF] },
    Tool { name: "scroll", description: "Bring an element into view.", parameters: &[REF] },
    Tool {
        name: "navigate",
        description: "Go to an address.",
        parameters: &[("url", "string", true, "the address, absolute or relative to the page")],
    },
    Tool { name: "back", description: "Go back to the page before.", parameters: &[] },
    Tool {
        name: "wait",
        description: "Wait until the page is quiet.",
        parameters: &[("seconds", "number", true, "at most so long, up to 30")],
    },
    Tool {
        name: "expand",
        description: "See what the snapshot has left out.",
        parameters: &[("refs", "string", true, "the ids that the snapshot names, such as e41-e77")],
    },
    Tool {
        name: "read",
        description: "See what the page says about something, with all its words.",
        parameters: &[("query", "string", true, "words that it is about")],
    },
    Tool {
        name: "upload",
        description: "Choose a file for a field that takes files.",
        parameters: &[REF, ("file", "string", true, "one of the files that the user has named")],
    },
    Tool {
        name: "plan",
        description: "Write down your plan for a long task; it stays before you, and each plan takes the place of the one before.",
        parameters: &[("plan", "string", true, "a step a line: [x] done, [>] now, [ ] to do")],
    },
    Tool {
        name: "done",
        description: "End the task with an answer.",
        parameters: &[
            ("answer", "string", true, "what the user wants to know"),
            ("success", "boolean", false, "false when the task could not be done"),
        ],
    },
];

impl Tool {
    /// The parameters as JSON Schema.
    pub fn schema(&self) -> Value {
        let properties: serde_json::Map<String, Value> = self
            .parameters
            .iter()
            .map(|(name, kind, _, about)| ((*name).to_owned(), json!({ "type": kind, "description": about })))
            .collect();
        let required: Vec<&str> =
            self.parameters.iter().filter(|(_, _, required, _)| *required).map(|(name, ..)| *name).collect();
        json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replies_are_read_alone_and_between_words() {
        let click = Action::Click { reference: "e12".to_owned() };
        for reply in [
            r#"{"action":"click","ref":"e12"}"#,
            "I will click it.\n```json\n{\"action\": \"click\", \"ref\": \"e12\"}\n```\nThen we see.",
            r#"{"action":"click","ref":"e12"} {"action":"back"}"#,
        ] {
            assert_eq!(Action::read(reply), Ok(click.clone()), "{reply}");
        }
        let typed = Action::read(r#"{"action":"type","ref":"e3","text":"a } \" { b"}"#).expect("reads");
        assert_eq!(typed, Action::Type { reference: "e3".to_owned(), text: "a } \" { b".to_owned(), submit: false });
    }

    #[test]
    fn what_is_wrong_is_said_so_that_a_model_can_mend_it() {
        for (reply, words) in [
            ("", "no JSON object"),
            ("click e12", "no JSON object"),
            ("{\"action\":\"click\"", "no JSON object"),
            ("{action: click}", "no JSON"),
            ("{\"action\":\"fly\"}", "the actions are click"),
            ("{\"action\":\"click\"}", "ref"),
            ("{\"action\":\"click\",\"ref\":\"e1\",\"x\":1}", "x"),
        ] {
            let error = Action::read(reply).expect_err(reply);
            assert!(error.contains(words), "{reply}: {error}");
        }
    }

    #[test]
    fn every_action_is_a_tool_and_every_tool_an_action() {
        for tool in TOOLS {
            let mut call = json!({ "action": tool.name });
            for (name, kind, _, _) in tool.parameters {
                call[*name] = match *kind {
                    "boolean" => json!(true),
                    "number" => json!(1.5),
                    _ => json!("e1"),
                };
            }
            let action = Action::read(&call.to_string()).expect("the schema describes the action");
            assert_eq!(serde_json::to_value(&action).expect("is JSON"), call);
        }
    }
}
