//! `snapshot recipe`, `snapshot stages`, `snapshot representations`: the tables of the library.

use std::fmt::Write;

use snapshot_core::PRESETS;
use snapshot_core::representations::{REPRESENTATIONS, ReferencePolicy};
use snapshot_core::stages::STAGES;

use crate::arguments::RecipeArguments;
use crate::table::{Align, columns};
use crate::terminal::print;

/// Prints one preset, or lists them with the comment that each begins with.
pub(crate) fn recipe(arguments: &RecipeArguments) -> anyhow::Result<()> {
    if let Some(preset) = PRESETS.iter().find(|preset| Some(preset.name) == arguments.name.as_deref()) {
        return print(preset.yaml);
    }
    let rows: Vec<_> = PRESETS
        .iter()
        .map(|preset| {
            let comment = preset.yaml.lines().next().unwrap_or_default();
            vec![preset.name.to_owned(), comment.trim_start_matches(['#', ' ']).to_owned()]
        })
        .collect();
    print(&columns(&[Align::Left, Align::Left], &rows))
}

/// Lists the stages and below each its options.
pub(crate) fn stages() -> anyhow::Result<()> {
    let mut text = String::new();
    for stage in STAGES {
        writeln!(text, "{}\n    {}", stage.name, stage.summary)?;
        let rows: Vec<_> = stage
            .options
            .iter()
            .map(|option| {
                let default = format!("[default: {}]", option.default);
                vec![format!("    {}", option.name), default, option.summary.to_owned()]
            })
            .collect();
        text.push_str(&columns(&[Align::Left; 3], &rows));
    }
    print(&text)
}

/// Lists the representations.
pub(crate) fn representations() -> anyhow::Result<()> {
    let mut text = String::new();
    for kind in REPRESENTATIONS {
        let ids = match kind.references {
            ReferencePolicy::None => "none",
            ReferencePolicy::All => "every element",
            _ => "targets",
        };
        writeln!(text, "{}\n    {}", kind.name, kind.summary)?;
        writeln!(text, "    preset {}, files end in .{}, ids: {ids}", kind.preset, kind.extension)?;
    }
    print(&text)
}
