//! What changed between two snapshots, and what a snapshot says about something, in lines that a
//! model reads: [`snapshot_core::diff`] tells it for programs.

use std::fmt::Write as _;

use snapshot_core::Snapshot;
use snapshot_core::diff::{self, Edit, Kind};

/// How many hits are shown.
const HITS: usize = 40;

/// Says what is another than before; the whole snapshot where that is not clearly shorter.
pub(crate) fn describe(before: &Snapshot, after: &Snapshot) -> String {
    let delta = diff::between(before, after);
    if delta.whole.is_some() {
        return after.text.clone();
    }
    let mut text = String::new();
    for change in delta.changes.iter().filter(|change| change.kind == Kind::Removed) {
        let role = change.role.as_deref().unwrap_or("element");
        let _ = writeln!(text, "gone: {} {role} {:?}", change.reference, change.name);
    }
    text.push_str(&changed_lines(&before.text, &after.text, &delta.edits));
    if text.chars().count() < after.text.chars().count() { text } else { after.text.clone() }
}

/// The later text with the lines that stayed told by their number.
fn changed_lines(before: &str, after: &str, edits: &[Edit]) -> String {
    // Which bytes of the later text are new.
    let mut is_new = vec![false; after.len()];
    let mut at = 0;
    for edit in edits {
        match edit {
            Edit::Keep([start, end]) => at += before.get(*start..*end).map_or(0, str::len),
            Edit::Insert(text) => {
                is_new[at..at + text.len()].fill(true);
                at += text.len();
            }
            _ => {}
        }
    }
    let mut text = String::new();
    let mut stayed = 0;
    let mut at = 0;
    for line in after.split_inclusive('\n') {
        let is_changed = is_new[at..at + line.len()].contains(&true);
        at += line.len();
        if !is_changed {
            stayed += 1;
            continue;
        }
        tell_stayed(&mut text, &mut stayed);
        let _ = writeln!(text, "+ {}", line.trim_end_matches('\n'));
    }
    tell_stayed(&mut text, &mut stayed);
    text
}

fn tell_stayed(text: &mut String, stayed: &mut usize) {
    match std::mem::take(stayed) {
        0 => {}
        1 => text.push_str("… 1 line as before\n"),
        count => {
            let _ = writeln!(text, "… {count} lines as before");
        }
    }
}

/// The lines of a snapshot that contain a text, whatever its case, each under the lines that hold
/// it, as their indentation tells.
pub(crate) fn find(snapshot: &str, wanted: &str) -> String {
    let wanted = wanted.trim().to_lowercase();
    let lines: Vec<&str> = snapshot.lines().collect();
    let indent = |line: &str| line.len() - line.trim_start_matches(' ').len();
    let mut around: Vec<usize> = Vec::new();
    let mut told = 0;
    let mut hits = 0;
    let mut text = String::new();
    for (place, line) in lines.iter().enumerate() {
        while around.last().is_some_and(|&above| indent(lines[above]) >= indent(line)) {
            around.pop();
        }
        if line.to_lowercase().contains(&wanted) {
            hits += 1;
            if hits <= HITS {
                for &above in around.iter().filter(|&&above| above >= told) {
                    let _ = writeln!(text, "{}", lines[above]);
                }
                let _ = writeln!(text, "{line}");
                told = place + 1;
            }
        }
        around.push(place);
    }
    match hits {
        0 => format!("{wanted:?} is not on the page; try fewer words\n"),
        hits if hits > HITS => format!("{text}… {} more lines; give more words\n", hits - HITS),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use snapshot_core::{Page, PageOptions, Pipeline, Recipe};

    fn shot(html: &str, before: Option<&Page>) -> (Page, Snapshot) {
        let mut page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        if let Some(before) = before {
            page = page.continuing(before);
        }
        let pipeline = Pipeline::new(&Recipe::preset("navigate").expect("is there"), "ax").expect("is there");
        let snapshot = pipeline.run(&page).expect("converts");
        (page, snapshot)
    }

    #[test]
    fn changes_are_told_as_lines_with_what_is_gone() {
        let row = |name: &str| format!("<li>{name} is a tea <button>Add {name}</button>");
        let all: Vec<String> = (0..20).map(|number| row(&format!("Tea {number}"))).collect();
        let before = format!("<ul>{}</ul>", all.concat());
        let after = format!("<ul>{}{}</ul>", all[1..].concat(), row("Mate"));
        let (page, first) = shot(&before, None);
        let (_, second) = shot(&after, Some(&page));
        let text = describe(&first, &second);
        assert!(text.contains("button \"Add Tea 0\""), "{text}");
        assert!(text.contains("+     - button \"Add Mate\""), "{text}");
        assert!(text.contains("lines as before"), "{text}");
        assert!(!text.contains("Add Tea 7"), "{text}");
    }

    #[test]
    fn what_is_found_stands_under_what_holds_it() {
        let snapshot =
            "- main:\n  - list:\n    - listitem: Tea\n    - listitem:\n      - link \"Green TEA\"\n- text: milk\n";
        assert_eq!(
            find(snapshot, "tea"),
            "- main:\n  - list:\n    - listitem: Tea\n    - listitem:\n      - link \"Green TEA\"\n"
        );
        assert_eq!(find(snapshot, "milk"), "- text: milk\n");
        assert!(find(snapshot, "rolls").contains("not on the page"));
    }
}
