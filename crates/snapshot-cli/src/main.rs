//! The `snapshot` command: saved web pages in, text for language models out.

mod arguments;
mod bench;
mod completions;
mod convert;
mod destination;
mod diff;
mod explain;
mod failure;
mod inputs;
mod locate;
mod reading;
mod recipes;
mod settings;
mod table;
mod terminal;
mod whole_file;

use std::process::ExitCode;

use clap::Parser;

use arguments::{Arguments, Verb};

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    failure::keep_panics_quiet();
    let outcome = match &arguments.verb {
        Verb::Convert(arguments) => convert::run(arguments),
        Verb::Explain(arguments) => explain::run(arguments),
        Verb::Locate(arguments) => locate::run(arguments),
        Verb::Diff(arguments) => diff::run(arguments),
        Verb::Bench(arguments) => bench::run(arguments),
        Verb::Recipe(arguments) => recipes::recipe(arguments),
        Verb::Stages => recipes::stages(),
        Verb::Representations => recipes::representations(),
        Verb::Completions(arguments) => completions::run(arguments),
    };
    failure::exit_code(outcome)
}
