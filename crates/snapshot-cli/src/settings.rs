//! From arguments to what the library needs. Everything wrong with the command line is found
//! here, before any page is read.

use std::path::Path;

use anyhow::Context;
use snapshot_core::capture::{Capture, FORMAT};
use snapshot_core::parse::{InputFormat, parse_html};
use snapshot_core::representations::{AxStyle, ReferencePolicy, UrlPolicy, WriteOptions};
use snapshot_core::tokens::{self, Encoding};
use snapshot_core::{Diagnostic, Error, Page, PageOptions, Pipeline, Recipe, representations};
use url::Url;

use crate::arguments::{ConversionArguments, Ratios, ReadingArguments, Refs, Style, Urls};
use crate::failure::OrWrongUsage;
use crate::inputs::{Input, Source};
use crate::reading;

/// Recipes are written by hand; a file larger than this is no recipe.
const LARGEST_RECIPE: usize = 1 << 20;

/// What `--to` is when neither it nor a recipe says.
const DEFAULT_REPRESENTATION: &str = "ax";

/// How to convert pages.
pub(crate) struct Settings {
    pub(crate) reader: Reader,
    pub(crate) pipeline: Pipeline,
    pub(crate) encoding: &'static Encoding,
}

impl Settings {
    pub(crate) fn new(arguments: &ConversionArguments) -> anyhow::Result<Self> {
        let recipe = recipe(arguments)?;
        let encoding = tokens::find(&arguments.encoding).or_wrong_usage()?;
        let mut pipeline = Pipeline::new(&recipe, DEFAULT_REPRESENTATION)
            .or_wrong_usage()?
            .with_options(write_options(arguments))
            .with_expanded(arguments.expand.iter().map(|ids| ids.0.clone()));
        if let Some(task) = &arguments.task {
            pipeline = pipeline.with_task(task);
        }
        if let Some(tokens) = arguments.budget {
            pipeline = pipeline.with_budget(tokens, encoding);
        }
        Ok(Self { reader: Reader::new(&arguments.reading)?, pipeline, encoding })
    }

    /// Does without the source map, which the plain text has no place for.
    pub(crate) fn text_only(mut self) -> Self {
        self.pipeline = self.pipeline.text_only();
        self
    }

    /// Keeps a ledger in every snapshot.
    pub(crate) fn with_ledger(mut self) -> Self {
        self.pipeline = self.pipeline.with_ledger(self.encoding.counter);
        self
    }
}

/// How to read pages.
#[derive(Clone)]
pub(crate) struct Reader {
    options: PageOptions,
}

impl Reader {
    pub(crate) fn new(arguments: &ReadingArguments) -> anyhow::Result<Self> {
        let mut options = PageOptions::default();
        options.parse.encoding_hint.clone_from(&arguments.charset);
        options.parse.limits.input_bytes = arguments.max_bytes.0;
        options.parse.limits.nodes = arguments.max_nodes;
        if let Some(url) = &arguments.url {
            Url::parse(url)
                .map_err(|error| Error::InvalidUrl { url: url.clone(), reason: error.to_string() })
                .or_wrong_usage()?;
            options = options.with_url(url);
        }
        Ok(Self { options })
    }

    pub(crate) fn read(&self, input: &Input) -> anyhow::Result<Page> {
        self.parse(&self.bytes(input)?, input)
    }

    /// Reads pages as saved from `url`, unless the command line gave an address.
    pub(crate) fn at(mut self, url: Option<&str>) -> Self {
        if let (None, Some(url)) = (&self.options.url, url) {
            self.options = self.options.with_url(url);
        }
        self
    }

    /// The bytes of an input, as far as the limit allows.
    pub(crate) fn bytes(&self, input: &Input) -> anyhow::Result<Vec<u8>> {
        let limit = self.options.parse.limits.input_bytes;
        match &input.source {
            Source::File(path) | Source::Found(path) => reading::read_file(path, limit),
            Source::StandardInput => reading::read_standard_input(limit),
            Source::Nothing(reason) => anyhow::bail!("{reason}"),
        }
    }

    /// The page that the bytes of an input are.
    pub(crate) fn parse(&self, bytes: &[u8], input: &Input) -> anyhow::Result<Page> {
        let mut options = self.options.clone();
        if is_capture(bytes) {
            let capture: Capture = serde_json::from_slice(bytes).context("is no capture that can be read")?;
            return Ok(Page::from_capture(&capture, &options)?);
        }
        if matches!(&input.source, Source::File(path) if is_markdown(path)) {
            options.parse.format = InputFormat::Markdown;
        }
        match (Page::read(bytes, &options), &input.source) {
            (Err(Error::EmptyInput), Source::Found(_)) => self.empty_page(),
            (page, _) => Ok(page?),
        }
    }

    fn empty_page(&self) -> anyhow::Result<Page> {
        let mut parsed = parse_html("", &self.options.parse)?;
        parsed.diagnostics.push(Diagnostic::warning("the file is empty"));
        Ok(Page::from_parsed(parsed, self.options.url.as_deref())?)
    }
}

fn recipe(arguments: &ConversionArguments) -> anyhow::Result<Recipe> {
    let mut recipe = if let Some(file) = &arguments.recipe {
        let read = || -> anyhow::Result<Recipe> {
            let bytes = reading::read_file(file, LARGEST_RECIPE)?;
            Ok(Recipe::from_yaml(&String::from_utf8(bytes).context("is not UTF-8 text")?)?)
        };
        read().with_context(|| format!("recipe {}", file.display())).or_wrong_usage()?
    } else if let Some(list) = &arguments.stages {
        Recipe::from_list(list).or_wrong_usage()?
    } else {
        let preset = match &arguments.preset {
            Some(preset) => preset,
            None => {
                representations::find(arguments.to.as_deref().unwrap_or(DEFAULT_REPRESENTATION))
                    .or_wrong_usage()?
                    .preset
            }
        };
        Recipe::preset(preset).or_wrong_usage()?
    };
    if let Some(to) = &arguments.to {
        recipe = recipe.with_representation(to);
    }
    if arguments.main {
        recipe = recipe.stage_after("prune-hidden", "main-content", []);
    }
    if let Some(selector) = &arguments.scope {
        recipe = recipe.stage_first("scope", [("selector", yaml_string(selector).as_str())]);
    }
    if let Some(quality) = arguments.quality {
        recipe = recipe.stage("downsample", [("quality", quality.to_string().as_str())]);
    }
    if let Some(Ratios(ratios)) = arguments.ratios {
        let [elements, attributes, text] = ratios.map(|ratio| ratio.to_string());
        let ratios = [("elements", elements.as_str()), ("attributes", &attributes), ("text", &text)];
        recipe = recipe.stage("downsample", ratios);
    }
    Ok(recipe)
}

/// Markdown is never guessed from bytes; a file is taken for it by its name.
fn is_markdown(path: &Path) -> bool {
    path.extension()
        .is_some_and(|extension| extension.eq_ignore_ascii_case("md") || extension.eq_ignore_ascii_case("markdown"))
}

/// A capture says at its beginning what it is.
fn is_capture(bytes: &[u8]) -> bool {
    let beginning = bytes.get(..64).unwrap_or(bytes).trim_ascii_start();
    let mark = format!("\"format\":\"{FORMAT}\"");
    beginning.starts_with(b"{") && beginning.windows(mark.len()).any(|window| window == mark.as_bytes())
}

/// A selector is a string also where it would read as YAML of another kind, such as `*` or `[id]`.
fn yaml_string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn write_options(arguments: &ConversionArguments) -> WriteOptions {
    let mut options = WriteOptions::default();
    options.references = match arguments.refs {
        Some(Refs::Targets) => Some(ReferencePolicy::Targets),
        Some(Refs::All) => Some(ReferencePolicy::All),
        None if arguments.no_refs => Some(ReferencePolicy::None),
        None => None,
    };
    options.ax_style = match arguments.ax_style {
        Style::Lines => AxStyle::Lines,
        Style::Nested => AxStyle::Nested,
    };
    options.urls = match arguments.urls {
        Urls::Full => UrlPolicy::Full,
        Urls::Relative => UrlPolicy::Relative,
        Urls::Short => UrlPolicy::Short,
        Urls::Reference => UrlPolicy::Reference,
    };
    options.url_table = arguments.url_table;
    options.targets_only = arguments.targets_only;
    options.indent = arguments.indent;
    options
}
