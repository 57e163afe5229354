//! The README's tour: each command in a `console` block is run, and prints what stands there.
//! With `BLESS` in the environment the README is rewritten instead.

#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of the README and what stands below it.
#[derive(Debug, PartialEq)]
struct Example {
    command: String,
    output: String,
}

/// A part of the README: prose as it is, or the examples of one block.
#[derive(Debug, PartialEq)]
enum Part {
    Prose(String),
    Console(Vec<Example>),
}

fn parts(readme: &str) -> Vec<Part> {
    let mut parts = vec![Part::Prose(String::new())];
    for line in readme.split_inclusive('\n') {
        match (parts.last_mut(), line.trim_end()) {
            (Some(Part::Prose(prose)), "```console") => {
                prose.push_str(line);
                parts.push(Part::Console(Vec::new()));
            }
            (Some(Part::Console(_)), "```") => parts.push(Part::Prose(line.to_owned())),
            (Some(Part::Console(examples)), _) => match (line.strip_prefix("$ "), examples.last_mut()) {
                (Some(command), _) => {
                    examples.push(Example { command: command.trim_end().to_owned(), output: String::new() });
                }
                (None, Some(example)) => example.output.push_str(line),
                (None, None) => panic!("a console block begins with a command: {line:?}"),
            },
            (Some(Part::Prose(prose)), _) => prose.push_str(line),
            (None, _) => {}
        }
    }
    parts
}

fn written(parts: &[Part]) -> String {
    let examples = |examples: &[Example]| {
        examples.iter().map(|example| format!("$ {}\n{}", example.command, example.output)).collect::<String>()
    };
    parts
        .iter()
        .map(|part| match part {
            Part::Prose(prose) => prose.clone(),
            Part::Console(console) => examples(console),
        })
        .collect()
}

fn run(root: &Path, command: &str) -> String {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_snapshot"));
    let mut search = vec![binary.parent().expect("the binary lies in a folder").to_owned()];
    search.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
    let output = Command::new("sh")
        .args(["-c", command])
        .current_dir(root)
        .env("PATH", std::env::join_paths(search).expect("a search path"))
        .output()
        .expect("sh runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "`{command}` failed: {errors}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_command_prints_what_the_readme_shows() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let file = root.join("README.md");
    let readme = fs::read_to_string(&file).expect("README.md is there");
    let mut parts = parts(&readme);
    assert_eq!(written(&parts), readme, "the README is read without loss");
    let mut commands = 0;
    for part in &mut parts {
        let Part::Console(examples) = part else { continue };
        for example in examples {
            commands += 1;
            let mut output = run(&root, &example.command);
            if !output.is_empty() && !output.ends_with('\n') {
                output.push('\n');
            }
            if std::env::var_os("BLESS").is_none() {
                assert_eq!(
                    output, example.output,
                    "`{}` prints something else; `cargo xtask bless` accepts it",
                    example.command
                );
            }
            example.output = output;
        }
    }
    assert!(commands >= 5, "the tour has {commands} commands");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&file, written(&parts)).expect("README.md is rewritten");
    }
}
