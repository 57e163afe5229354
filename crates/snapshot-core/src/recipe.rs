//! Recipes: which stages run, in which order, and what is written. Data, in YAML or built.

use serde::{Deserialize, Serialize};
use yaml_serde::{Mapping, Value};

use crate::error::Error;
use crate::{representations, stages, tokens};

/// A list of stages with their options, and optionally the representation.
///
/// ```
/// use snapshot_core::Recipe;
///
/// let written = Recipe::from_yaml("stages: [{scope: {selector: main}}, prune-hidden]")?;
/// let built = Recipe::default().stage("scope", [("selector", "main")]).stage("prune-hidden", []);
/// assert_eq!(written, built);
/// # Ok::<(), snapshot_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    steps: Vec<Step>,
    representation: Option<String>,
    budget: Option<RecipeBudget>,
}

/// The most tokens that a recipe's snapshots may have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct RecipeBudget {
    /// How many.
    pub tokens: usize,
    /// The encoding that counts them; the first of [`ENCODINGS`](tokens::ENCODINGS) when the
    /// recipe names none.
    #[serde(default = "default_encoding")]
    pub encoding: String,
}

fn default_encoding() -> String {
    tokens::ENCODINGS.first().map_or("", |encoding| encoding.name).to_owned()
}

/// One stage of a recipe with its options.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    name: String,
    options: Value,
}

impl Step {
    /// The stage's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The stage's options: a mapping, or null when there are none.
    pub fn options(&self) -> &Value {
        &self.options
    }
}

/// A recipe that comes with the library.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The recipe, in YAML.
    pub yaml: &'static str,
}

/// The recipes that come with the library.
pub const PRESETS: &[Preset] = &[
    Preset { name: "navigate", yaml: include_str!("recipes/navigate.yaml") },
    Preset { name: "read", yaml: include_str!("recipes/read.yaml") },
    Preset { name: "full", yaml: include_str!("recipes/full.yaml") },
];

impl Recipe {
    /// The preset of this name.
    ///
    /// # Errors
    /// [`Error::UnknownName`] with the names that exist.
    pub fn preset(name: &str) -> Result<Self, Error> {
        let preset = PRESETS.iter().find(|preset| preset.name == name).ok_or_else(|| Error::UnknownName {
            kind: "preset",
            name: name.to_owned(),
            known: PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", "),
        })?;
        Self::from_yaml(preset.yaml)
    }

    /// Reads a recipe.
    ///
    /// # Errors
    /// [`Error::InvalidRecipe`] with the place, when it is not YAML of the recipe's form;
    /// [`Error::UnknownName`] when a stage or the representation does not exist.
    pub fn from_yaml(yaml: &str) -> Result<Self, Error> {
        let invalid = |reason: String| Error::InvalidRecipe { reason };
        let value: Value = yaml_serde::from_str(yaml).map_err(|error| invalid(error.to_string()))?;
        let Value::Mapping(mapping) = value else {
            return Err(invalid("it must be a mapping with the key `stages`".to_owned()));
        };
        let mut recipe = Self::default();
        for (key, value) in mapping {
            match key.as_str() {
                Some("stages") => {
                    let Value::Sequence(steps) = value else {
                        return Err(invalid("`stages` must be a list".to_owned()));
                    };
                    recipe.steps = steps.into_iter().map(step).collect::<Result<_, _>>()?;
                }
                Some("representation") => {
                    let name = value.as_str().ok_or_else(|| invalid("`representation` must be a name".to_owned()))?;
                    representations::find(name)?;
                    recipe.representation = Some(name.to_owned());
                }
                Some("budget") => {
                    let budget: RecipeBudget =
                        yaml_serde::from_value(value).map_err(|error| invalid(format!("`budget`: {error}")))?;
                    tokens::find(&budget.encoding)?;
                    recipe.budget = Some(budget);
                }
                _ => {
                    let key = key.as_str().unwrap_or("…");
                    return Err(invalid(format!(
                        "unknown key `{key}`; known are `stages`, `representation` and `budget`"
                    )));
                }
            }
        }
        Ok(recipe)
    }

    /// Reads the short form of the command line: stage names joined by commas, options in
    /// braces, `fold-repeats{keep=2}`; `none` is the empty list.
    ///
    /// # Errors
    /// As [`from_yaml`](Self::from_yaml).
    pub fn from_list(list: &str) -> Result<Self, Error> {
        let mut recipe = Self::default();
        if list.trim() == "none" {
            return Ok(recipe);
        }
        for item in split_outside_braces(list) {
            let item = item.trim();
            let invalid = |reason: &str| Error::InvalidRecipe { reason: format!("in {item:?}: {reason}") };
            let (name, options) = match item.split_once('{') {
                None => (item, Value::Null),
                Some((name, rest)) => {
                    let inner = rest.strip_suffix('}').ok_or_else(|| invalid("the brace is not closed"))?;
                    let mut options = Mapping::new();
                    for pair in inner.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
                        let (key, value) =
                            pair.split_once('=').ok_or_else(|| invalid("options are written key=value"))?;
                        let value = yaml_serde::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
                        options.insert(key.trim().into(), value);
                    }
                    (name.trim(), Value::Mapping(options))
                }
            };
            stages::find(name)?;
            recipe.steps.push(Step { name: name.to_owned(), options });
        }
        Ok(recipe)
    }

    /// Adds a stage at the end. Its name and options are looked at when a pipeline is made.
    #[must_use]
    pub fn stage<'option>(
        mut self,
        name: &str,
        options: impl IntoIterator<Item = (&'option str, &'option str)>,
    ) -> Self {
        let options: Mapping = options
            .into_iter()
            .map(|(key, value)| {
                let value = yaml_serde::from_str(value).unwrap_or_else(|_| Value::String(value.to_owned()));
                (Value::from(key), value)
            })
            .collect();
        let options = if options.is_empty() { Value::Null } else { Value::Mapping(options) };
        self.steps.push(Step { name: name.to_owned(), options });
        self
    }

    /// Puts a stage before all others.
    #[must_use]
    pub fn stage_first<'option>(
        self,
        name: &str,
        options: impl IntoIterator<Item = (&'option str, &'option str)>,
    ) -> Self {
        let mut first = Self { steps: Vec::new(), ..self.clone() }.stage(name, options);
        first.steps.extend(self.steps);
        first
    }

    /// Sets the representation. Whether it exists is looked at when a pipeline is made.
    #[must_use]
    pub fn with_representation(mut self, name: &str) -> Self {
        self.representation = Some(name.to_owned());
        self
    }

    /// Puts a stage right behind another, or first when that one is not in the recipe.
    #[must_use]
    pub fn stage_after<'option>(
        self,
        after: &str,
        name: &str,
        options: impl IntoIterator<Item = (&'option str, &'option str)>,
    ) -> Self {
        let place = self.steps.iter().position(|step| step.name == after).map_or(0, |place| place + 1);
        let mut recipe = self.stage(name, options);
        recipe.steps[place..].rotate_right(1);
        recipe
    }

    /// The stages in order.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The representation, if the recipe names one.
    pub fn representation(&self) -> Option<&str> {
        self.representation.as_deref()
    }

    /// The most tokens that snapshots may have, if the recipe says.
    pub fn budget(&self) -> Option<&RecipeBudget> {
        self.budget.as_ref()
    }

    /// The recipe as YAML, which [`from_yaml`](Self::from_yaml) reads back.
    pub fn to_yaml(&self) -> String {
        #[derive(Serialize)]
        struct Written<'recipe> {
            stages: Vec<Value>,
            #[serde(skip_serializing_if = "Option::is_none")]
            representation: Option<&'recipe str>,
            #[serde(skip_serializing_if = "Option::is_none")]
            budget: Option<&'recipe RecipeBudget>,
        }
        let steps = self.steps.iter().map(|step| match &step.options {
            Value::Null => Value::String(step.name.clone()),
            options => Value::Mapping([(Value::String(step.name.clone()), options.clone())].into_iter().collect()),
        });
        let written = Written { stages: steps.collect(), representation: self.representation(), budget: self.budget() };
        yaml_serde::to_string(&written).unwrap_or_default()
    }
}

fn step(value: Value) -> Result<Step, Error> {
    let (name, options) = match value {
        Value::String(name) => (name, Value::Null),
        Value::Mapping(mapping) if mapping.len() == 1 => match mapping.into_iter().next() {
            Some((Value::String(name), options)) => (name, options),
            _ => return Err(Error::InvalidRecipe { reason: "a stage is a name, or a name with options".to_owned() }),
        },
        _ => return Err(Error::InvalidRecipe { reason: "a stage is a name, or a name with options".to_owned() }),
    };
    stages::find(&name)?;
    Ok(Step { name, options })
}

/// Cuts at commas that do not stand in braces.
fn split_outside_braces(list: &str) -> Vec<&str> {
    let mut depth = 0usize;
    let mut items: Vec<&str> = list
        .split(|character| {
            match character {
                '{' => depth += 1,
                '}' => depth = depth.saturating_sub(1),
                _ => {}
            }
            character == ',' && depth == 0
        })
        .collect();
    items.retain(|item| !item.trim().is_empty());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_recipe_with_everything_reads_back_as_it_was() {
        let yaml = "stages:\n- scope: {selector: main}\n- prune-hidden\nrepresentation: list\nbudget: {tokens: 8192}\n";
        let recipe = Recipe::from_yaml(yaml).expect("reads");
        assert_eq!(recipe.budget().map(|budget| budget.encoding.as_str()), Some("o200k_base"));
        assert_eq!(Recipe::from_yaml(&recipe.to_yaml()), Ok(recipe));
    }

    #[test]
    fn mistakes_are_named() {
        for (yaml, wanted) in [
            ("stages: [{ prune-hidden: }, nonsense]", "nonsense"),
            ("budget: { tokens: many }", "budget"),
            ("budget: { tokens: 5, encoding: p50k }", "p50k"),
            ("representation: xml", "xml"),
            ("steps: []", "steps"),
            ("- prune-hidden", "mapping"),
            ("stages: [[", "line"),
        ] {
            let error = Recipe::from_yaml(yaml).expect_err(yaml).to_string();
            assert!(error.contains(wanted), "{yaml}: {error}");
        }
    }

    #[test]
    fn a_stage_can_be_put_behind_another() {
        let recipe = Recipe::default().stage("prune-hidden", []).stage("clean", []);
        let names = |recipe: &Recipe| recipe.steps().iter().map(|step| step.name().to_owned()).collect::<Vec<_>>();
        let behind = recipe.clone().stage_after("prune-hidden", "sanitise", []);
        assert_eq!(names(&behind), ["prune-hidden", "sanitise", "clean"]);
        assert_eq!(names(&recipe.stage_after("scope", "sanitise", [])), ["sanitise", "prune-hidden", "clean"]);
    }
}
