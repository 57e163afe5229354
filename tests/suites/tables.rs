//! The tables of stages and representations are complete: names unique, documented, and each
//! with a golden case.

#![allow(clippy::expect_used, clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;

use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::stages::STAGES;
use snapshot_core::{PRESETS, Page, PageOptions, Pipeline, Recipe};
use snapshot_tests::{golden, project_root};

fn source_file(folder: &str, name: &str) -> Option<String> {
    let file = name.replace('-', "_");
    let folder = project_root().join("crates/snapshot-core/src").join(folder);
    let flat = folder.join(format!("{file}.rs"));
    fs::read_to_string(flat).or_else(|_| fs::read_to_string(folder.join(file).join("mod.rs"))).ok()
}

#[test]
fn names_are_unique_and_kebab_case() {
    for names in [
        STAGES.iter().map(|kind| kind.name).collect::<Vec<_>>(),
        REPRESENTATIONS.iter().map(|kind| kind.name).collect(),
        PRESETS.iter().map(|preset| preset.name).collect(),
    ] {
        let unique: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(unique.len(), names.len(), "{names:?}");
        assert!(
            names.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')),
            "{names:?}"
        );
    }
}

#[test]
fn each_stage_is_one_file_with_before_and_after() {
    for kind in STAGES {
        let source = source_file("stages", kind.name).unwrap_or_else(|| panic!("stage {} has no file", kind.name));
        assert!(
            source.contains("//! Before: ") && source.contains("//! After: "),
            "{} shows no before and after",
            kind.name
        );
        assert!(!kind.summary.is_empty());
        for option in kind.options {
            assert!(!option.summary.is_empty() && !option.default.is_empty(), "{}.{}", kind.name, option.name);
        }
    }
}

#[test]
fn each_representation_is_one_file_or_folder() {
    for kind in REPRESENTATIONS {
        assert!(source_file("representations", kind.name).is_some(), "{} has no file", kind.name);
        assert!(Recipe::preset(kind.preset).is_ok(), "{} names the preset {}", kind.name, kind.preset);
        assert!(!kind.summary.is_empty() && !kind.extension.is_empty());
    }
}

#[test]
fn the_architecture_document_names_every_stage_and_representation() {
    let text = fs::read_to_string(project_root().join("ARCHITECTURE.md")).expect("ARCHITECTURE.md is there");
    for name in STAGES.iter().map(|kind| kind.name).chain(REPRESENTATIONS.iter().map(|kind| kind.name)) {
        assert!(text.contains(&format!("`{name}`")), "ARCHITECTURE.md does not name `{name}`");
    }
}

/// `tests/cases/stages/NAME/input.html` → `output.html`, with the options in `options.yaml`.
#[test]
fn each_stage_has_a_golden_case() {
    let mut faults = Vec::new();
    for kind in STAGES {
        let folder = project_root().join("tests/cases/stages").join(kind.name);
        let input = fs::read(folder.join("input.html"));
        let input = input.unwrap_or_else(|error| panic!("stage {} has no golden case: {error}", kind.name));
        let options = fs::read_to_string(folder.join("options.yaml")).unwrap_or_else(|_| "null".to_owned());
        let recipe =
            Recipe::from_yaml(&format!("stages: [{{ {}: {} }}]", kind.name, options.trim())).expect("recipe reads");
        let page = Page::read(&input, &PageOptions::default().with_url("https://shop.example/")).expect("page reads");
        let snapshot = Pipeline::new(&recipe, "html").and_then(|pipeline| pipeline.run(&page)).expect("page converts");
        let changes: String = snapshot
            .changes
            .iter()
            .map(|change| {
                format!(
                    "{} {}: {}\n",
                    if change.removed { "removed" } else { "changed" },
                    describe(&page, change.node),
                    change.reason
                )
            })
            .collect();
        faults.extend(golden::compare(&folder.join("output.html"), &snapshot.text).err());
        faults.extend(golden::compare(&folder.join("changes.txt"), &changes).err());
    }
    golden::assert_none(&faults);
}

fn describe(page: &Page, node: snapshot_core::document::NodeId) -> String {
    let document = page.document();
    match document.is_element(node) {
        true => snapshot_core::locate::Locator::new(document).selector(node),
        false => format!("text {:?}", document.text(node).trim()),
    }
}

#[test]
fn presets_are_recipes_that_read_back() {
    for preset in PRESETS {
        let recipe = Recipe::preset(preset.name).expect("reads");
        assert!(!recipe.steps().is_empty());
        assert_eq!(Recipe::from_yaml(&recipe.to_yaml()), Ok(recipe.clone()));
        for representation in REPRESENTATIONS {
            Pipeline::new(&recipe, representation.name).expect("makes a pipeline");
        }
    }
}

#[test]
fn names_that_do_not_exist_are_answered_with_those_that_do() {
    let error = Recipe::from_list("prune-hiden").expect_err("misspelt");
    assert!(error.to_string().contains("prune-hidden"), "{error}");
    let error =
        Recipe::from_yaml("stages: [{ sanitise: { editble: true } }]").and_then(|recipe| Pipeline::new(&recipe, "ax"));
    assert!(error.expect_err("misspelt").to_string().contains("editable"));
}
