//! How the program ends: exit codes and messages.

use std::process::ExitCode;

use crate::terminal::message;

/// The command line asks for something that cannot be: exit 2.
#[derive(Debug)]
pub(crate) struct WrongUsage(pub(crate) anyhow::Error);

/// Some inputs failed and have been reported: exit 1 without another word.
#[derive(Debug)]
pub(crate) struct InputsFailed;

/// Nobody reads standard output any more, as with `| head -1`: quietly the exit code that a
/// shell gives to programs which the signal for this has ended.
#[derive(Debug)]
pub(crate) struct NobodyReads;

const EXIT_NOBODY_READS: u8 = 141;

impl std::fmt::Display for WrongUsage {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:#}", self.0)
    }
}

impl std::fmt::Display for InputsFailed {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("some inputs failed")
    }
}

impl std::fmt::Display for NobodyReads {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("nobody reads standard output")
    }
}

impl std::error::Error for WrongUsage {}
impl std::error::Error for InputsFailed {}
impl std::error::Error for NobodyReads {}

/// Marks errors of a result as wrong usage.
pub(crate) trait OrWrongUsage<T> {
    fn or_wrong_usage(self) -> anyhow::Result<T>;
}

impl<T, E: Into<anyhow::Error>> OrWrongUsage<T> for Result<T, E> {
    fn or_wrong_usage(self) -> anyhow::Result<T> {
        self.map_err(|error| WrongUsage(error.into()).into())
    }
}

/// Reports an error, if there is one, and gives the exit code.
pub(crate) fn exit_code(outcome: anyhow::Result<()>) -> ExitCode {
    let Err(error) = outcome else { return ExitCode::SUCCESS };
    if error.is::<NobodyReads>() {
        return ExitCode::from(EXIT_NOBODY_READS);
    }
    if error.is::<InputsFailed>() {
        return ExitCode::from(1);
    }
    message("error", &format!("{error:#}"));
    if error.is::<WrongUsage>() {
        message("hint", "`snapshot --help` and `snapshot VERB --help` say what there is");
        return ExitCode::from(2);
    }
    ExitCode::from(1)
}

/// A defect that one page brings to light is reported like any other failure of that page, with
/// its name, and the others go on: nothing is printed where it happens.
pub(crate) fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|_| {}));
}

/// Runs `work`; a panic becomes an error.
pub(crate) fn catching_panics<T>(work: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    // What the panic leaves behind half done belongs to this page alone and is dropped with it.
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let reason = panic
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned())
            .or_else(|| panic.downcast_ref::<String>().cloned())
            .unwrap_or_else(|| "no reason given".to_owned());
        Err(anyhow::anyhow!("a defect in snapshot, please report it with the page: {reason}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_reason() {
        let error = catching_panics::<()>(|| panic!("index {} of {}", 3, 2)).expect_err("panicked");
        assert!(error.to_string().ends_with("please report it with the page: index 3 of 2"), "{error}");
    }
}
