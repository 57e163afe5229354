//! What can be said on the command line. Lists of names come from the tables of the library.

use std::path::PathBuf;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{ArgAction, Args, Parser, Subcommand, ValueEnum};
use snapshot_core::PRESETS;
use snapshot_core::parse::Limits;
use snapshot_core::representations::REPRESENTATIONS;
use snapshot_core::tokens::ENCODINGS;

/// Turns saved web pages into the smallest text that a language model can act on.
#[derive(Debug, Parser)]
#[command(name = "snapshot", version, arg_required_else_help = true, max_term_width = 100)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Convert pages: text to standard output, or files with --output.
    Convert(ConvertArguments),
    /// Say what each stage cost and saved, and why each element stayed or went.
    Explain(ExplainArguments),
    /// Find the element that an id in a snapshot stands for.
    Locate(LocateArguments),
    /// Say what changed between two captures of one page.
    Diff(DiffArguments),
    /// Measure tokens, time, targets kept and tasks covered per page, representation and budget.
    Bench(BenchArguments),
    /// Print a preset recipe as YAML, or list the presets.
    Recipe(RecipeArguments),
    /// List the stages with their options.
    Stages,
    /// List the representations.
    Representations,
    /// Print a completion script for a shell.
    Completions(CompletionsArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ConvertArguments {
    /// Pages: files (HTML, MHTML, or captures of `snapshot-agent capture`), folders, globs, or `-`
    /// for standard input.
    ///
    /// Folders are searched for files that end in .html, .htm, .xhtml, .mhtml or .mht; names that
    /// begin with a dot are passed over and links to folders are not followed. Without any INPUT
    /// standard input is read, unless it is a terminal.
    #[arg(value_name = "INPUT")]
    pub(crate) inputs: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) conversion: ConversionArguments,

    /// Print one JSON object per input, one line each: text, tokens, statistics, source map,
    /// what was left out, ledger and diagnostics.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    /// Also write the source map to FILE, for `snapshot locate`: the object that --json prints,
    /// one line for each input. Written whole or not at all.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) map: Option<PathBuf>,

    /// Write to PATH instead of standard output.
    ///
    /// With one input PATH is a file, unless it is a folder or ends in a slash. With several
    /// inputs or a folder it is a folder, in which the names of the inputs are mirrored from the
    /// deepest folder that holds them all, with the ending of the representation. Files are
    /// written whole or not at all; an input is never overwritten; a link is followed.
    #[arg(short, long, value_name = "PATH", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,

    /// Convert N pages at a time [default: as many as there are processors]. The output does not
    /// depend on N.
    #[arg(short, long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024), help_heading = "Output")]
    pub(crate) jobs: Option<u16>,

    /// Print neither warnings nor a progress bar; errors only.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) quiet: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArguments {
    /// The page, or `-` for standard input.
    #[arg(value_name = "INPUT")]
    pub(crate) input: PathBuf,

    /// List every element that went, not only how many of each kind.
    #[arg(long)]
    pub(crate) all: bool,

    #[command(flatten)]
    pub(crate) conversion: ConversionArguments,
}

#[derive(Debug, Args)]
pub(crate) struct LocateArguments {
    /// A file written by `convert --map` or `convert --json`, or `-` for standard input.
    #[arg(value_name = "MAP")]
    pub(crate) map: PathBuf,

    /// The id, as it stands in the snapshot: e12, 12 or \[12\].
    #[arg(value_name = "REF")]
    pub(crate) reference: String,

    /// Read the element's HTML from this page [default: the input that the map names, if it is
    /// there].
    #[arg(long, value_name = "FILE")]
    pub(crate) page: Option<PathBuf>,

    /// Which input, when the map has several: its name as the map gives it.
    #[arg(long, value_name = "NAME")]
    pub(crate) input: Option<String>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DiffArguments {
    /// The earlier page.
    #[arg(value_name = "A")]
    pub(crate) before: PathBuf,

    /// The later page. Its elements keep the ids that they have in A.
    #[arg(value_name = "B")]
    pub(crate) after: PathBuf,

    /// Print the delta as one JSON object, from which B's snapshot can be made out of A's;
    /// without it a line for each element: + new, ~ changed, > moved, - gone.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) conversion: ConversionArguments,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// A folder of pages, searched as `convert` does. A `tasks.toml` beside a page says what is to
    /// be done on it, and how much of that a snapshot still allows is measured too.
    #[arg(value_name = "CORPUS", default_value = "corpora")]
    pub(crate) corpus: PathBuf,

    /// Measure these representations, joined by commas [default: all].
    #[arg(long, value_name = "NAMES", value_parser = representation_names(), value_delimiter = ',')]
    pub(crate) to: Vec<String>,

    /// Measure under these budgets, joined by commas, and without one.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',', default_value = "1024,2048,4096,8192,32768")]
    pub(crate) budgets: Vec<usize>,

    /// Count tokens in this encoding.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = encoding_names(),
        default_value = ENCODINGS.first().map_or("", |encoding| encoding.name)
    )]
    pub(crate) encoding: String,

    /// Take each time N times; the median counts.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) rounds: u16,

    /// Print one JSON object for each page, representation and budget instead of the table.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write an HTML page with charts and all figures to FILE.
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RecipeArguments {
    /// The preset to print; without it the presets are listed.
    #[arg(value_name = "NAME", value_parser = preset_names())]
    pub(crate) name: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct CompletionsArguments {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: clap_complete::Shell,
}

/// From a page to a snapshot.
#[derive(Debug, Args)]
pub(crate) struct ConversionArguments {
    /// What to write [default: ax, or what the recipe says].
    #[arg(long, value_name = "NAME", value_parser = representation_names(), help_heading = "Conversion")]
    pub(crate) to: Option<String>,

    /// Run a recipe that comes with the program [default: the one that suits the representation].
    #[arg(long, value_name = "NAME", value_parser = preset_names(), group = "how", help_heading = "Conversion")]
    pub(crate) preset: Option<String>,

    /// Run a recipe of your own, in YAML; `snapshot recipe navigate` prints one to start from.
    #[arg(long, value_name = "FILE", group = "how", help_heading = "Conversion")]
    pub(crate) recipe: Option<PathBuf>,

    /// Run these stages, joined by commas, options in braces: "scope{selector=main},prune-hidden".
    /// `none` parses and writes, nothing else. `snapshot stages` lists them.
    #[arg(long, value_name = "LIST|none", group = "how", help_heading = "Conversion")]
    pub(crate) stages: Option<String>,

    /// Keep only the parts of the page that this CSS selector matches, before all other stages.
    #[arg(long, value_name = "SELECTOR", help_heading = "Conversion")]
    pub(crate) scope: Option<String>,

    /// Keep only the page's main content: the article without what stands around it.
    #[arg(long, help_heading = "Conversion")]
    pub(crate) main: bool,

    /// How `ax` lays out its nodes.
    #[arg(long, value_name = "STYLE", value_enum, default_value = "lines", help_heading = "Conversion")]
    pub(crate) ax_style: Style,

    /// In `list`: only what can be acted on.
    #[arg(long, help_heading = "Conversion")]
    pub(crate) targets_only: bool,

    /// In `list`: set lines in by what contains them; landmarks have lines too.
    #[arg(long, help_heading = "Conversion")]
    pub(crate) indent: bool,

    /// In `markdown`: how addresses are written.
    #[arg(long, value_name = "HOW", value_enum, default_value = "full", help_heading = "Conversion")]
    pub(crate) urls: Urls,

    /// In `markdown`: tell at the end, as `[e3]: ADDRESS`, what addresses stand behind ids (with
    /// --refs or --urls reference) and short forms (with --urls short).
    #[arg(long, help_heading = "Conversion")]
    pub(crate) url_table: bool,

    /// What the snapshot is wanted for, in words: what is relevant to it is the last to be left out
    /// for want of tokens.
    #[arg(long, value_name = "TEXT", help_heading = "Size")]
    pub(crate) task: Option<String>,

    /// Write at most N tokens, as --encoding counts them. What does not fit is left out, the least
    /// useful first; its ids stand in the text and under `elided` in --json.
    #[arg(long, value_name = "N", help_heading = "Size")]
    pub(crate) budget: Option<usize>,

    /// Write only what has these ids, which another snapshot of the page has left out: "e41-e77",
    /// several joined by commas. Long texts that `list` cuts are written whole.
    #[arg(long, value_name = "IDS", value_delimiter = ',', help_heading = "Size")]
    pub(crate) expand: Vec<Ids>,

    /// Downsample to this quality, 0 to 1; 1 changes nothing.
    #[arg(long, value_name = "Q", value_parser = ratio, help_heading = "Size")]
    pub(crate) quality: Option<f64>,

    /// Downsample by three ratios, each 0 to 1: of containers, attributes and text.
    #[arg(long, value_name = "E,A,T", conflicts_with = "quality", help_heading = "Size")]
    pub(crate) ratios: Option<Ratios>,

    /// Write ids: of the targets, or of every element [default: targets in ax and list, none in
    /// html and markdown].
    #[arg(
        long,
        value_name = "WHICH",
        value_enum,
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "targets",
        overrides_with = "no_refs",
        help_heading = "Conversion"
    )]
    pub(crate) refs: Option<Refs>,

    /// Write no ids.
    #[arg(long, action = ArgAction::SetTrue, overrides_with = "refs", help_heading = "Conversion")]
    pub(crate) no_refs: bool,

    /// Count tokens in this encoding.
    #[arg(
        long,
        value_name = "NAME",
        value_parser = encoding_names(),
        default_value = ENCODINGS.first().map_or("", |encoding| encoding.name),
        help_heading = "Conversion"
    )]
    pub(crate) encoding: String,

    #[command(flatten)]
    pub(crate) reading: ReadingArguments,
}

/// The layouts of the accessibility tree.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Style {
    /// A line a node: `- link "Add" [ref=e3]`.
    Lines,
    /// Nested mappings: `role: link`, `name: Add`, `ref: e3`.
    Nested,
}

/// The ways to write addresses.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Urls {
    /// Absolute where the page's address is known.
    Full,
    /// Relative to the page's address where that is shorter.
    Relative,
    /// Long queries and fragments cut to a beginning and a hash; an address has the same short form
    /// on every page.
    Short,
    /// The link's id in place of its address.
    #[value(alias = "ref")]
    Reference,
}

/// How to read a page.
#[derive(Debug, Args)]
pub(crate) struct ReadingArguments {
    /// The address of the page: links are made absolute. An MHTML file brings its own.
    #[arg(long, value_name = "ADDRESS", help_heading = "Reading")]
    pub(crate) url: Option<String>,

    /// The character encoding of the bytes, as a server would name it: utf-8, windows-1252,
    /// shift_jis [default: from the bytes].
    #[arg(long, value_name = "LABEL", value_parser = charset_label, help_heading = "Reading")]
    pub(crate) charset: Option<String>,

    /// Refuse pages of more bytes than this; K, M and G stand for powers of 1024.
    #[arg(long, value_name = "N", default_value_t = Bytes(Limits::default().input_bytes), help_heading = "Reading")]
    pub(crate) max_bytes: Bytes,

    /// Refuse pages of more nodes than this.
    #[arg(long, value_name = "N", default_value_t = Limits::default().nodes, help_heading = "Reading")]
    pub(crate) max_nodes: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Refs {
    /// What can be clicked or typed into; in the list headings and text too.
    Targets,
    /// Every element that is written.
    All,
}

fn representation_names() -> PossibleValuesParser {
    REPRESENTATIONS.iter().map(|kind| PossibleValue::new(kind.name).help(kind.summary)).collect::<Vec<_>>().into()
}

fn preset_names() -> PossibleValuesParser {
    PRESETS.iter().map(|preset| PossibleValue::new(preset.name)).collect::<Vec<_>>().into()
}

fn encoding_names() -> PossibleValuesParser {
    ENCODINGS.iter().map(|encoding| PossibleValue::new(encoding.name).help(encoding.summary)).collect::<Vec<_>>().into()
}

fn charset_label(label: &str) -> Result<String, String> {
    match encoding_rs::Encoding::for_label(label.as_bytes()) {
        Some(_) => Ok(label.to_owned()),
        None => Err("no encoding has this label; try utf-8, windows-1252, shift_jis, gb18030, euc-kr".to_owned()),
    }
}

fn ratio(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|ratio| (0.0..=1.0).contains(ratio)).ok_or("give a number from 0 to 1, such as 0.4")
}

/// Three ratios: of containers, attributes and text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ratios(pub(crate) [f64; 3]);

impl std::str::FromStr for Ratios {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let ratios = text.split(',').map(|part| ratio(part.trim())).collect::<Result<Vec<_>, _>>()?;
        ratios.try_into().map(Self).map_err(|_| "give three numbers from 0 to 1, such as 0.4,0.5,0.3")
    }
}

/// A stretch of ids, `e41-e77`, or one id.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Ids(pub(crate) std::ops::RangeInclusive<u32>);

impl std::str::FromStr for Ids {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |id: &str| {
            let id = id.trim().trim_matches(['[', ']']);
            id.strip_prefix('e').unwrap_or(id).parse::<u32>().map_err(|_| "give ids, such as e41-e77 or e12")
        };
        let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
        let (first, last) = (number(first)?, number(last)?);
        if first <= last { Ok(Self(first..=last)) } else { Err("the first id must not be greater than the last") }
    }
}

/// A size, read and shown with its unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bytes(pub(crate) usize);

impl std::str::FromStr for Bytes {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (digits, shift) = UNITS
            .iter()
            .find_map(|&(unit, shift)| Some((text.to_ascii_uppercase().strip_suffix(unit)?.to_owned(), shift)))
            .unwrap_or((text.to_owned(), 0));
        let number: usize = digits.parse().map_err(|_| "give a number, such as 1000000, 64M or 1G")?;
        number.checked_mul(1 << shift).map(Self).ok_or("the number is too large")
    }
}

impl std::fmt::Display for Bytes {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let whole = UNITS.iter().find(|(_, shift)| self.0 > 0 && self.0.is_multiple_of(1 << shift));
        match whole {
            Some((unit, shift)) => write!(formatter, "{}{unit}", self.0 >> shift),
            None => write!(formatter, "{}", self.0),
        }
    }
}

const UNITS: [(char, u32); 3] = [('G', 30), ('M', 20), ('K', 10)];

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn every_option_says_what_it_does() {
        for verb in Arguments::command().get_subcommands() {
            for argument in verb.get_arguments() {
                assert!(argument.get_help().is_some(), "{} {} has no help", verb.get_name(), argument.get_id());
            }
        }
    }

    #[test]
    fn ids_are_read_as_they_stand_in_snapshots() {
        let read = |text: &str| text.parse::<Ids>().ok().map(|ids| ids.0);
        assert_eq!(read("e41-e77"), Some(41..=77));
        assert_eq!(read("e41–e77"), Some(41..=77));
        assert_eq!(read("[7]"), Some(7..=7));
        for wrong in ["", "e", "e7-e3", "main", "e1-e2-e3"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn sizes_have_units() {
        let read = |text: &str| text.parse::<Bytes>().ok().map(|bytes| bytes.0);
        assert_eq!(read("64M"), Some(64 << 20));
        assert_eq!(read("2k"), Some(2048));
        assert_eq!(read("12"), Some(12));
        for wrong in ["", "é", "M", "-1", "18446744073709551615G"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!([Bytes(64 << 20), Bytes(1025), Bytes(0)].map(|bytes| bytes.to_string()), ["64M", "1025", "0"]);
    }
}
