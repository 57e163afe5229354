//! What a client can ask for, read from the arguments of its calls.

use serde::Deserialize;
use serde_json::Value;

use super::tools::TOOLS;

/// A call of a tool.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "tool", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Call {
    Navigate {
        url: String,
        #[serde(default)]
        then: Then,
    },
    Back {
        #[serde(default)]
        then: Then,
    },
    Snapshot(Asked),
    Expand {
        refs: String,
    },
    Find {
        text: String,
    },
    Click {
        #[serde(rename = "ref")]
        reference: String,
        #[serde(default)]
        then: Then,
    },
    Hover {
        #[serde(rename = "ref")]
        reference: String,
        #[serde(default)]
        then: Then,
    },
    Type {
        #[serde(rename = "ref")]
        reference: String,
        text: String,
        #[serde(default)]
        submit: bool,
        #[serde(default)]
        then: Then,
    },
    Select {
        #[serde(rename = "ref")]
        reference: String,
        option: String,
        #[serde(default)]
        then: Then,
    },
    Press {
        key: String,
        #[serde(rename = "ref", default)]
        reference: Option<String>,
        #[serde(default)]
        then: Then,
    },
    Scroll {
        #[serde(rename = "ref", default)]
        reference: Option<String>,
        #[serde(default)]
        pages: Option<f64>,
        #[serde(default)]
        then: Then,
    },
    Wait {
        #[serde(default)]
        seconds: Option<f64>,
        #[serde(default)]
        text: Option<String>,
        #[serde(default)]
        gone: Option<String>,
        #[serde(default)]
        then: Then,
    },
    Tabs {
        #[serde(default)]
        action: TabAction,
        #[serde(default)]
        tab: Option<u32>,
        #[serde(default)]
        url: Option<String>,
    },
    Screenshot {
        #[serde(rename = "ref", default)]
        reference: Option<String>,
        #[serde(default)]
        whole_page: bool,
    },
    Close {},
}

/// How a snapshot is wanted.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    #[serde(default)]
    pub(super) representation: Option<String>,
    #[serde(default)]
    pub(super) scope: Option<String>,
    #[serde(default)]
    pub(super) budget: Option<usize>,
    #[serde(default)]
    pub(super) task: Option<String>,
    #[serde(default)]
    pub(super) delta: bool,
}

/// What is shown behind an action.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Then {
    #[default]
    Nothing,
    Delta,
    Snapshot,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum TabAction {
    #[default]
    List,
    Open,
    Select,
    Close,
}

impl Call {
    /// Reads the arguments of a call.
    ///
    /// # Errors
    /// Says in words for a model what is wrong.
    pub(super) fn read(name: &str, mut arguments: Value) -> Result<Self, String> {
        let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
            let known: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
            return Err(format!("there is no tool {name:?}; the tools are {}", known.join(", ")));
        };
        let known = |key: &String| tool.parameters.iter().any(|(parameter, ..)| parameter == key);
        if let Some(unknown) = arguments.as_object().and_then(|object| object.keys().find(|key| !known(key))) {
            let known: Vec<&str> = tool.parameters.iter().map(|(parameter, ..)| *parameter).collect();
            return Err(format!("{name} has no parameter {unknown:?}; it has {}", known.join(", ")));
        }
        arguments["tool"] = name.into();
        serde_json::from_value(arguments).map_err(|error| format!("{name} cannot be called like this: {error}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_tool_of_the_table_can_be_called_with_all_its_parameters() {
        for tool in TOOLS {
            let mut arguments = json!({});
            for (name, kind, _, _) in tool.parameters {
                arguments[*name] = match (*name, *kind) {
                    ("then", _) => json!("delta"),
                    ("action", _) => json!("select"),
                    (_, "boolean") => json!(true),
                    (_, "number" | "integer") => json!(3),
                    _ => json!("e1"),
                };
            }
            Call::read(tool.name, arguments).expect(tool.name);
            let required = tool.parameters.iter().filter(|(_, _, required, _)| *required);
            let fewest: serde_json::Map<String, Value> =
                required.map(|(name, ..)| ((*name).to_owned(), json!("e1"))).collect();
            Call::read(tool.name, Value::Object(fewest)).expect(tool.name);
        }
    }

    #[test]
    fn what_is_wrong_is_said_so_that_a_model_can_mend_it() {
        for (name, arguments, words) in [
            ("fly", json!({}), "the tools are navigate"),
            ("click", json!({}), "ref"),
            ("click", json!({ "selector": "#a" }), "no parameter \"selector\"; it has ref"),
            ("click", json!({ "ref": 7 }), "string"),
            ("click", json!({ "ref": "e1", "then": "soon" }), "`delta`"),
            ("snapshot", json!({ "budget": -1 }), "budget"),
        ] {
            let error = Call::read(name, arguments).expect_err(name);
            assert!(error.contains(words) || words == "budget", "{error}");
        }
    }
}
