//! `snapshot locate`: from an id in a snapshot back to the element.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::Deserialize;
use snapshot_core::representations::{ReferencePolicy, WriteOptions};
use snapshot_core::source_map::{Entry, SourceMap, VERSION};
use snapshot_core::{Pipeline, Recipe};

use crate::arguments::LocateArguments;
use crate::failure::{OrWrongUsage, catching_panics};
use crate::inputs::Input;
use crate::reading;
use crate::settings::Reader;
use crate::terminal::{message, one_line, print};

/// Maps are larger than pages; past this a file is none.
const LARGEST_MAP: usize = 1 << 30;

/// How many ids are offered when there is none of that number.
const NEAREST: usize = 3;

pub(crate) fn run(arguments: &LocateArguments) -> anyhow::Result<()> {
    let number = number(&arguments.reference)
        .with_context(|| format!("{:?} is no id; ids are written e12, 12 or [12]", arguments.reference))
        .or_wrong_usage()?;
    let reader = Reader::new(&arguments.reading)?;
    let maps = read_maps(&arguments.map).with_context(|| arguments.map.display().to_string())?;
    let map = choose(&maps, arguments.input.as_deref())?;
    let entry = find(&map.map, number)?;
    let mut text = describe(entry)?;
    if let Some(page) = page_of(arguments, map) {
        let input = Input::new(&page);
        let html = catching_panics(|| outer_html(&reader, &input, entry)).with_context(|| input.name.clone())?;
        match html {
            Some(html) => writeln!(text, "html      {}", html.trim_end())?,
            None => message("warning", &format!("{}: no such element; the page has changed since", input.name)),
        }
    }
    print(&text)
}

/// The part of an envelope that is needed here.
#[derive(Debug, Deserialize)]
struct Mapped {
    #[serde(default)]
    input: String,
    map: SourceMap,
}

/// A file holds envelopes one after the other, or a source map alone.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum MapFile {
    Envelope(Mapped),
    Map(SourceMap),
}

fn read_maps(path: &Path) -> anyhow::Result<Vec<Mapped>> {
    let bytes = if path == Path::new("-") {
        reading::read_standard_input(LARGEST_MAP)?
    } else {
        reading::read_file(path, LARGEST_MAP)?
    };
    let mut maps = Vec::new();
    for map in serde_json::Deserializer::from_slice(&bytes).into_iter::<MapFile>() {
        let mapped = match map.context("is not what `convert --map` or `convert --json` writes")? {
            MapFile::Envelope(mapped) => mapped,
            MapFile::Map(map) => Mapped { input: String::new(), map },
        };
        if mapped.map.version != VERSION {
            bail!("is a source map of version {}; this program reads version {VERSION}", mapped.map.version);
        }
        maps.push(mapped);
    }
    Ok(maps)
}

/// The map of the input that is meant.
fn choose<'map>(maps: &'map [Mapped], input: Option<&str>) -> anyhow::Result<&'map Mapped> {
    match (maps, input) {
        ([], _) => bail!("the map is empty"),
        ([map], None) => Ok(map),
        (maps, Some(input)) => maps
            .iter()
            .find(|map| map.input == input)
            .with_context(|| format!("the map has no input {input:?}; it has {}", names(maps))),
        (maps, None) => bail!("the map has several inputs; say which with --input: {}", names(maps)),
    }
}

fn names(maps: &[Mapped]) -> String {
    let shown: Vec<_> = maps.iter().take(5).map(|map| map.input.as_str()).collect();
    let more = if maps.len() > shown.len() { format!(" and {} more", maps.len() - shown.len()) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}

fn number(reference: &str) -> Option<u32> {
    let inner = reference.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(reference);
    let digits = inner.strip_prefix('e').unwrap_or(inner);
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

fn find(map: &SourceMap, wanted: u32) -> anyhow::Result<&Entry> {
    let numbered = || map.entries.iter().filter_map(|entry| Some((number(entry.reference.as_deref()?)?, entry)));
    if let Some((_, entry)) = numbered().find(|&(number, _)| number == wanted) {
        return Ok(entry);
    }
    let mut known: Vec<u32> = numbered().map(|(number, _)| number).collect();
    if known.is_empty() {
        bail!("the snapshot has no ids; convert again with --refs");
    }
    known.sort_by_key(|&number| (number.abs_diff(wanted), number));
    known.dedup();
    known.truncate(NEAREST);
    known.sort_unstable();
    let known: Vec<_> = known.iter().map(|number| format!("e{number}")).collect();
    bail!("the snapshot has no e{wanted}; nearest are {}", known.join(", "))
}

fn describe(entry: &Entry) -> anyhow::Result<String> {
    let mut text = String::new();
    let mut line = |title: &str, value: &str| writeln!(text, "{title:<8}  {}", one_line(value));
    line("ref", entry.reference.as_deref().unwrap_or_default())?;
    line("element", &entry.tag)?;
    line("role", entry.role.as_deref().unwrap_or("none"))?;
    line("name", &format!("\"{}\"", entry.name))?;
    for frame in &entry.frame {
        line("in frame", frame)?;
    }
    for host in &entry.shadow {
        line("in host", host)?;
    }
    line("selector", &entry.selector)?;
    line("xpath", &entry.xpath)?;
    line("path", &entry.path)?;
    if !entry.evidence.is_empty() {
        line("evidence", &entry.evidence.join(", "))?;
    }
    for merged in &entry.merged {
        line("merged", merged)?;
    }
    if let Some(id) = entry.backend_node_id {
        line("node id", &id.to_string())?;
    }
    Ok(text)
}

fn page_of(arguments: &LocateArguments, map: &Mapped) -> Option<PathBuf> {
    arguments.page.clone().or_else(|| Some(PathBuf::from(&map.input)).filter(|path| path.is_file()))
}

/// The element's HTML as the page has it: the whole page is written and the element's part cut
/// out. Nothing when there is no such element at that place.
fn outer_html(reader: &Reader, input: &Input, entry: &Entry) -> anyhow::Result<Option<String>> {
    let page = reader.read(input)?;
    let mut options = WriteOptions::default();
    options.references = Some(ReferencePolicy::None);
    let snapshot = Pipeline::new(&Recipe::from_list("none")?, "html")?.with_options(options).run(&page)?;
    let found = snapshot.map.entries.iter().find(|found| found.path == entry.path && found.tag == entry.tag);
    let html = found.and_then(|found| snapshot.text.get(found.span[0]..found.span[1]));
    // A page in a frame stands in an attribute, escaped once for each frame around it.
    Ok(html.map(|html| (0..entry.frame.len()).fold(html.to_owned(), |html, _| unescaped(&html))))
}

fn unescaped(attribute: &str) -> String {
    attribute
        .replace("&quot;", "\"")
        .replace("&nbsp;", "\u{a0}")
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_in_all_their_forms() {
        for (text, expected) in [
            ("e12", Some(12)),
            ("12", Some(12)),
            ("[12]", Some(12)),
            ("[e12]", Some(12)),
            ("e", None),
            ("-1", None),
            ("+1", None),
            ("e99999999999", None),
            ("[12", None),
            ("", None),
        ] {
            assert_eq!(number(text), expected, "{text}");
        }
    }

    #[test]
    fn a_frame_is_unescaped_once_for_each_level() {
        assert_eq!(unescaped("&amp;lt;p title=&quot;a&amp;quot;&quot;&gt;"), "&lt;p title=\"a&quot;\">");
    }
}
