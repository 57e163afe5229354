//! Markdown as input: rendered to HTML, which is then read like any page.

use pulldown_cmark::{Options, Parser, html};

use super::{ParseOptions, Parsed, check_size, parse_html};
use crate::error::Error;

/// Reads a Markdown page that is already text: CommonMark with GitHub's tables, strikethrough,
/// task lists and footnotes. A block of YAML at the top is metadata and left out.
///
/// # Errors
/// As [`parse`](super::parse).
///
/// ```
/// use snapshot_core::document::NodeId;
/// use snapshot_core::parse::{ParseOptions, parse_markdown};
///
/// let parsed = parse_markdown("Parcels leave at **noon**.", &ParseOptions::default())?;
/// assert_eq!(parsed.document.text_content(NodeId::DOCUMENT).trim(), "Parcels leave at noon.");
/// # Ok::<(), snapshot_core::Error>(())
/// ```
pub fn parse_markdown(text: &str, options: &ParseOptions) -> Result<Parsed, Error> {
    check_size(text.len(), &options.limits)?;
    let extensions = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS;
    let mut page = String::with_capacity(text.len() + text.len() / 2);
    html::push_html(&mut page, Parser::new_ext(text, extensions));
    parse_html(&page, options)
}

#[cfg(test)]
mod tests {
    use crate::parse::{InputFormat, ParseOptions};
    use crate::{Page, PageOptions, Pipeline, Recipe};

    #[test]
    fn markdown_goes_in_and_comes_out() {
        let source = "---\ntitle: Hours\n---\n# Open\n\n- [x] Mon\n- [ ] Tue\n\n|Day|From|\n|---|---|\n|Wed|9|\n";
        let parse = ParseOptions { format: InputFormat::Markdown, ..ParseOptions::default() };
        let page = Page::read(source.as_bytes(), &PageOptions { parse, ..PageOptions::default() }).expect("reads");
        let pipeline = Pipeline::new(&Recipe::default(), "markdown").expect("exists");
        let text = pipeline.run(&page).expect("runs").text;
        assert_eq!(text, "# Open\n\n- [x] Mon\n- [ ] Tue\n\n| Day | From |\n|---|---|\n| Wed | 9 |\n");
    }

    #[test]
    fn nothing_is_taken_for_markdown_unasked() {
        let page = Page::read(b"# Open", &PageOptions::default()).expect("reads");
        assert_eq!(page.document().text_content(crate::document::NodeId::DOCUMENT), "# Open");
    }
}
