//! Counts of a suite and the cases that do not pass, each with its reason.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::PathBuf;

const UNEXPLAINED: &str = "unexplained";

/// A ledger file: for each suite its counts and exceptions.
pub(crate) struct Ledger {
    path: PathBuf,
}

#[derive(Default, PartialEq, Eq, Debug)]
struct Suite {
    cases: usize,
    passed: usize,
    exceptions: BTreeMap<String, String>,
}

/// Suites run in parallel and share the file.
static FILE: std::sync::Mutex<()> = std::sync::Mutex::new(());

impl Ledger {
    /// The ledger of this name.
    pub(crate) fn read(name: &str) -> Self {
        Self { path: snapshot_tests::project_root().join("tests/ledgers").join(format!("{name}.toml")) }
    }

    /// Compares the failures with the ledger; with `BLESS=1` writes them to it instead.
    pub(crate) fn compare(&mut self, name: &str, cases: usize, failures: &[(String, String)]) {
        let _guard = FILE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut suites = self.load();
        let known = suites.remove(name).unwrap_or_default();
        let reason = |case: &String| known.exceptions.get(case).cloned().unwrap_or_else(|| UNEXPLAINED.to_owned());
        let now = Suite {
            cases,
            passed: cases - failures.len(),
            exceptions: failures.iter().map(|(case, _)| (case.clone(), reason(case))).collect(),
        };
        for (case, difference) in failures {
            if reason(case) == UNEXPLAINED {
                println!("===== {name} {case}\n{difference}");
            }
        }
        println!("{name}: {} of {cases}", now.passed);
        if std::env::var_os("BLESS").is_some() {
            suites.insert(name.to_owned(), now);
            self.save(&suites);
            return;
        }
        assert_eq!(known, now, "the ledger of {name} differs; if the new counts are right, run with BLESS=1");
        assert!(
            now.exceptions.values().all(|reason| reason != UNEXPLAINED),
            "every exception of {name} needs a reason"
        );
    }

    fn load(&self) -> BTreeMap<String, Suite> {
        let text = std::fs::read_to_string(&self.path).unwrap_or_default();
        let mut suites: BTreeMap<String, Suite> = BTreeMap::new();
        let mut current = String::new();
        for line in text.lines() {
            if let Some(table) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
                table.trim_end_matches(".exceptions").clone_into(&mut current);
            } else if let Some((key, value)) = line.split_once(" = ") {
                let suite = suites.entry(current.clone()).or_default();
                match key {
                    "cases" => suite.cases = value.parse().expect("is a number"),
                    "passed" => suite.passed = value.parse().expect("is a number"),
                    _ => {
                        suite.exceptions.insert(unquoted(key), unquoted(value));
                    }
                }
            }
        }
        suites
    }

    fn save(&self, suites: &BTreeMap<String, Suite>) {
        let mut text = "# Cases that pass, and the reason for each that does not.\n".to_owned();
        for (name, suite) in suites {
            let _ = write!(text, "\n[{name}]\ncases = {}\npassed = {}\n", suite.cases, suite.passed);
            if !suite.exceptions.is_empty() {
                let _ = write!(text, "\n[{name}.exceptions]\n");
            }
            let mut exceptions: Vec<_> = suite.exceptions.iter().collect();
            exceptions.sort_by_key(|(case, _)| (case.parse::<usize>().unwrap_or(0), (*case).clone()));
            for (case, reason) in exceptions {
                let _ = writeln!(text, "{case:?} = {reason:?}");
            }
        }
        std::fs::write(&self.path, text).expect("can be written");
    }
}

fn unquoted(text: &str) -> String {
    serde_json::from_str(text).expect("is a quoted string")
}
