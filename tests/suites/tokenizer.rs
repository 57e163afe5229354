//! html5lib's tokenizer cases: our tokenizer says what is expected wherever html5ever's does.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test")]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use html5ever::tokenizer::states::{RawKind, State};
use serde_json::Value;
use snapshot_tests::{files_below, has_extension, ledger, shared};

#[path = "tokenizer/recorder.rs"]
mod recorder;
#[path = "../../crates/snapshot-core/src/parse/tokenizer/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the crate's own module, of which its parser uses all")]
mod tokenizer;

use recorder::{Record, ours, reference};

struct Case {
    id: String,
    input: String,
    expected: Vec<Record>,
    states: Vec<State>,
    last_start_tag: String,
}

#[test]
fn html5lib_cases_give_the_expected_tokens() {
    let Some(root) = shared("conformance/html5lib-tests/tokenizer") else { return };
    let mut counts: BTreeMap<String, [usize; 3]> = BTreeMap::new();
    let mut failing = Vec::new();
    for file in files_below(&root).into_iter().filter(|file| has_extension(file, "test")) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let count = counts.entry(name.clone()).or_default();
        for case in cases(&name, &std::fs::read_to_string(&file).unwrap()) {
            for &state in &case.states {
                let run = |tokens: fn(&str, State, &str, bool) -> Vec<Record>| {
                    with_sorted_attributes(tokens(&case.input, state, &case.last_start_tag, false)) == case.expected
                };
                let (mine, theirs) = (run(ours), run(reference));
                assert!(mine || !theirs, "{} in {state:?} is worse than the reference", case.id);
                count[0] += 1;
                count[1] += usize::from(mine);
                count[2] += usize::from(theirs);
                if !mine {
                    failing.push(format!("{} in {state:?}", case.id));
                }
            }
        }
    }
    let mut text =
        String::from("# html5lib-tests, tokenizer, each case in each of its states. Rewritten by BLESS=1.\n");
    for (file, [cases, pass, reference]) in &counts {
        write!(text, "\n[\"{file}\"]\ncases = {cases}\npass = {pass}\npass_html5ever = {reference}\n").unwrap();
    }
    text.push_str("\n[failing]\n");
    for id in failing {
        assert!(id.starts_with("xmlViolation"), "{id} fails and has no reason");
        writeln!(text, "{id:?} = \"expects a token stream that is bent to what XML can hold\"").unwrap();
    }
    ledger::check("tokenizer", &text);
}

/// The cases list attributes by name.
fn with_sorted_attributes(mut records: Vec<Record>) -> Vec<Record> {
    for record in &mut records {
        if let Record::StartTag(_, attributes, _) = record {
            attributes.sort();
        }
    }
    records
}

fn cases(file: &str, text: &str) -> Vec<Case> {
    let json: Value = serde_json::from_str(text).unwrap();
    let list = ["tests", "xmlViolationTests"].iter().find_map(|key| json.get(key)).unwrap().as_array().unwrap();
    list.iter().enumerate().filter_map(|(number, case)| read_case(format!("{file}:{number}"), case)).collect()
}

/// Reads a case; nothing when its text holds lone surrogates, which ours cannot.
fn read_case(id: String, case: &Value) -> Option<Case> {
    let escaped = case["doubleEscaped"].as_bool().unwrap_or(false);
    let string = |value: &Value| {
        let text = value.as_str()?;
        if escaped { unescape(text) } else { Some(text.to_owned()) }
    };
    let mut expected: Vec<Record> = Vec::new();
    for token in case["output"].as_array().unwrap() {
        let kind = token[0].as_str().unwrap();
        let record = match kind {
            "Character" => Record::Characters(string(&token[1])?),
            "Comment" => Record::Comment(string(&token[1])?),
            "EndTag" => Record::EndTag(string(&token[1])?),
            "StartTag" => {
                let attributes = token[2].as_object().unwrap().iter();
                let attributes = attributes.map(|(name, value)| Some((unescape(name)?, string(value)?)));
                let closes = token.get(3).and_then(Value::as_bool).unwrap_or(false);
                Record::StartTag(string(&token[1])?, attributes.collect::<Option<_>>()?, closes)
            }
            "DOCTYPE" => {
                Record::Doctype(string(&token[1]), string(&token[2]), string(&token[3]), !token[4].as_bool().unwrap())
            }
            _ => panic!("{id}: {kind}"),
        };
        match (expected.last_mut(), record) {
            (Some(Record::Characters(before)), Record::Characters(more)) => before.push_str(&more),
            (_, record) => expected.push(record),
        }
    }
    expected.push(Record::EndOfFile);
    let expected = with_sorted_attributes(expected);
    let states = match case.get("initialStates") {
        Some(states) => states.as_array().unwrap().iter().map(|state| initial_state(state.as_str().unwrap())).collect(),
        None => vec![State::Data],
    };
    Some(Case {
        input: string(&case["input"])?,
        expected,
        states,
        last_start_tag: case["lastStartTag"].as_str().unwrap_or_default().to_owned(),
        id,
    })
}

/// Resolves the `\uXXXX` that `doubleEscaped` cases hold.
fn unescape(text: &str) -> Option<String> {
    let mut pieces = text.split("\\u");
    let mut units: Vec<u16> = pieces.next()?.encode_utf16().collect();
    for piece in pieces {
        units.push(u16::from_str_radix(piece.get(..4)?, 16).ok()?);
        units.extend(piece.get(4..)?.encode_utf16());
    }
    String::from_utf16(&units).ok()
}

fn initial_state(name: &str) -> State {
    match name {
        "Data state" => State::Data,
        "PLAINTEXT state" => State::Plaintext,
        "RCDATA state" => State::RawData(RawKind::Rcdata),
        "RAWTEXT state" => State::RawData(RawKind::Rawtext),
        "Script data state" => State::RawData(RawKind::ScriptData),
        "CDATA section state" => State::CdataSection,
        _ => panic!("{name}"),
    }
}
