//! `snapshot completions`: a script that teaches a shell the options.

use clap::CommandFactory;

use crate::arguments::{Arguments, CompletionsArguments};
use crate::terminal;

pub(crate) fn run(arguments: &CompletionsArguments) -> anyhow::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut Arguments::command(), "snapshot", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))
}
