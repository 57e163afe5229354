//! A page as captured: its tree, what the tree means, and the ids of its elements.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::OnceLock;

use url::Url;

use crate::capture::{self, Capture, CapturedFacts};
use crate::diff::Matching;
use crate::document::{Document, NodeId, NodeKind, name};
use crate::error::{Diagnostic, Error};
use crate::parse::{ParseOptions, Parsed, parse};
use crate::references::References;
use crate::semantics::Semantics;
use crate::semantics::style::ExternalSheets;
use crate::source_map::Statistics;

/// How to read a page.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct PageOptions {
    /// How to parse the bytes.
    pub parse: ParseOptions,
    /// The address of the page. With it links are made absolute; an MHTML file brings its own.
    pub url: Option<String>,
}

impl PageOptions {
    /// The defaults with a page address.
    #[must_use]
    pub fn with_url(mut self, url: impl Into<String>) -> Self {
        self.url = Some(url.into());
        self
    }
}

/// A page, read once and never changed: every snapshot of it starts from here.
#[derive(Clone, Debug)]
pub struct Page {
    document: Document,
    semantics: Semantics,
    references: References,
    url: Option<Url>,
    bases: BTreeMap<NodeId, Url>,
    encoding: &'static str,
    captured: CapturedFacts,
    diagnostics: Vec<Diagnostic>,
    /// Counted when a snapshot first needs them.
    statistics: OnceLock<Statistics>,
}

impl Page {
    /// Reads a page from bytes.
    ///
    /// # Errors
    /// Those of [`parse`], and [`Error::InvalidUrl`] when the address is not a URL.
    ///
    /// ```
    /// use snapshot_core::{Page, PageOptions};
    ///
    /// let page = Page::read(b"<button>Pay</button>", &PageOptions::default())?;
    /// let button = page.document().descendants(snapshot_core::document::NodeId::DOCUMENT)
    ///     .find(|&node| page.semantics().is_actionable(node))
    ///     .expect("there is a button");
    /// assert_eq!(page.semantics().name(button), "Pay");
    /// # Ok::<(), snapshot_core::Error>(())
    /// ```
    pub fn read(bytes: &[u8], options: &PageOptions) -> Result<Self, Error> {
        Self::from_parsed(parse(bytes, &options.parse)?, options.url.as_deref())
    }

    /// Takes a page over from a browser. Its address is the capture's own unless `options` has
    /// one; of the parser's options the limits hold.
    ///
    /// # Errors
    /// [`Error::InvalidCapture`], [`Error::TooManyNodes`], [`Error::InvalidUrl`].
    pub fn from_capture(capture: &Capture, options: &PageOptions) -> Result<Self, Error> {
        let mut parsed = capture::build(capture, &options.parse.limits)?;
        parsed.url = Some(capture.url.clone());
        Self::from_parsed(parsed, options.url.as_deref())
    }

    /// Gives meaning to a parsed page.
    ///
    /// # Errors
    /// [`Error::InvalidUrl`] when the address is not a URL.
    pub fn from_parsed(parsed: Parsed, url: Option<&str>) -> Result<Self, Error> {
        let url = match url {
            Some(url) => Some(
                Url::parse(url)
                    .map_err(|error| Error::InvalidUrl { url: url.to_owned(), reason: error.to_string() })?,
            ),
            None => parsed.url.as_deref().and_then(|url| Url::parse(url).ok()),
        };
        let bases = base_urls(&parsed.document, url.as_ref(), &parsed.frame_urls);
        let external = ExternalSheets { by_address: &parsed.style_sheets, bases: &bases };
        let semantics = Semantics::compute(&parsed.document, &external, parsed.captured.as_ref());
        let mut diagnostics = parsed.diagnostics;
        if !semantics.styles().is_complete() {
            let message = "some style rules would take too long to match and were left out; hidden parts may show";
            diagnostics.push(Diagnostic::warning(message));
        }
        let references = References::assign(&parsed.document, &semantics);
        let mut document = parsed.document;
        document.share_text();
        Ok(Self {
            document,
            semantics,
            references,
            url,
            bases,
            encoding: parsed.encoding,
            captured: parsed.captured.unwrap_or_default(),
            diagnostics,
            statistics: OnceLock::new(),
        })
    }

    /// Takes over the ids of an earlier capture of the same page: an element that was there keeps
    /// its id, a new one gets one that was never used.
    #[must_use]
    pub fn continuing(self, previous: &Self) -> Self {
        let matching = Matching::find(previous, &self, &self.same_in_browser(previous));
        self.continuing_as(previous, &matching)
    }

    /// As [`continuing`](Self::continuing), with the elements matched by the caller, who may know
    /// more: a browser's own ids of the elements.
    #[must_use]
    pub fn continuing_as(mut self, previous: &Self, matching: &Matching) -> Self {
        self.references = References::continue_from(&previous.references, matching, &self.document, &self.semantics);
        self
    }

    /// The elements that the browser itself knows to be those of an earlier capture. A browser
    /// numbers its nodes anew for a new page, so that the names must agree as well.
    fn same_in_browser(&self, previous: &Self) -> Vec<(NodeId, NodeId)> {
        let earlier: BTreeMap<u64, NodeId> =
            previous.captured.backend_node_ids.iter().map(|(&node, &id)| (id, node)).collect();
        let pairs = self.captured.backend_node_ids.iter().filter_map(|(&node, id)| Some((*earlier.get(id)?, node)));
        let name = |page: &Self, node: NodeId| page.document.local_name(node).to_owned();
        pairs.filter(|&(earlier, later)| name(previous, earlier) == name(self, later)).collect()
    }

    /// The browser's own id of the node, for pages captured from a browser.
    pub fn backend_node_id(&self, node: NodeId) -> Option<u64> {
        self.captured.backend_node_ids.get(&node).copied()
    }

    /// Left, top, width and height of the element in CSS pixels from the top left of the page, for
    /// pages captured from a browser.
    pub fn bounds(&self, node: NodeId) -> Option<[f64; 4]> {
        self.captured.bounds.get(&node).copied()
    }

    /// The tree as captured.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// What its elements mean.
    pub fn semantics(&self) -> &Semantics {
        &self.semantics
    }

    /// What it consists of.
    pub(crate) fn statistics(&self) -> Statistics {
        *self.statistics.get_or_init(|| Statistics::of(self))
    }

    /// The ids of its elements.
    pub fn references(&self) -> &References {
        &self.references
    }

    /// The page's address, if it is known.
    pub fn url(&self) -> Option<&Url> {
        self.url.as_ref()
    }

    /// The encoding that the bytes were read with.
    pub fn encoding(&self) -> &'static str {
        self.encoding
    }

    /// What was dropped or guessed while reading.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// An address as written at `node`, made absolute where the page's address or a `<base>`
    /// allows it. Browsers drop tabs and line ends inside an address and blanks around it.
    pub fn resolve<'address>(&self, node: NodeId, address: &'address str) -> Cow<'address, str> {
        let trimmed = address.trim_matches(|character: char| character <= ' ');
        let cleaned = if memchr::memchr3(b'\t', b'\n', b'\r', trimmed.as_bytes()).is_some() {
            Cow::Owned(trimmed.replace(['\t', '\n', '\r'], ""))
        } else {
            Cow::Borrowed(trimmed)
        };
        let Some(base) = self.base(node) else { return cleaned };
        base.join(&cleaned).map_or(cleaned, |resolved| Cow::Owned(resolved.into()))
    }

    /// The base address for links at `node`: that of its own document or the frame around it.
    fn base(&self, node: NodeId) -> Option<&Url> {
        if self.bases.is_empty() {
            return None;
        }
        if !self.document.has_composed_trees() {
            return self.bases.get(&NodeId::DOCUMENT);
        }
        let mut root = self.document.root(node);
        loop {
            if self.document.kind(root) == NodeKind::Document
                && let Some(base) = self.bases.get(&root)
            {
                return Some(base);
            }
            root = self.document.root(self.document.host(root)?);
        }
    }
}

/// The base address of each document of the page that has one of its own (HTML Standard,
/// "document base URL"); a srcdoc frame without one takes its container's.
pub(crate) fn base_urls(
    document: &Document,
    url: Option<&Url>,
    frame_urls: &BTreeMap<NodeId, String>,
) -> BTreeMap<NodeId, Url> {
    let mut bases = BTreeMap::new();
    let mut roots = vec![NodeId::DOCUMENT];
    if document.has_composed_trees() {
        let nodes = document.composed_descendants(NodeId::DOCUMENT);
        roots.extend(nodes.filter(|&node| document.kind(node) == NodeKind::Document));
    }
    let may_declare = document.usage().has_element(name::BASE);
    for root in roots {
        let own = if root == NodeId::DOCUMENT {
            url.cloned()
        } else {
            frame_urls.get(&root).and_then(|url| Url::parse(url).ok())
        };
        let around = own.or_else(|| {
            let mut above = document.host(root).map(|host| document.root(host));
            while let Some(root) = above {
                if let Some(base) = bases.get(&root) {
                    return Some(Url::clone(base));
                }
                above = document.host(root).map(|host| document.root(host));
            }
            None
        });
        let mut elements = document.descendants(root).filter(|&node| document.is_html(node, name::BASE));
        let declared = if may_declare { elements.find_map(|node| document.attribute(node, name::HREF)) } else { None };
        let base = match (declared.map(str::trim), around) {
            (Some(href), Some(around)) => around.join(href).ok().or(Some(around)),
            (Some(href), None) => Url::parse(href).ok(),
            (None, around) => around,
        };
        if let Some(base) = base.filter(|base| !base.cannot_be_a_base()) {
            bases.insert(root, base);
        }
    }
    bases
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str, url: Option<&str>) -> Page {
        let options = PageOptions { url: url.map(str::to_owned), ..PageOptions::default() };
        Page::read(html.as_bytes(), &options).expect("reads")
    }

    #[test]
    fn a_base_element_decides_and_is_itself_relative_to_the_page() {
        let html = "<base href=/manual/><a href=setup.html>";
        assert_eq!(
            page(html, Some("https://docs.example/guide/x")).resolve(NodeId::DOCUMENT, "setup.html"),
            "https://docs.example/manual/setup.html"
        );
        assert_eq!(page(html, None).resolve(NodeId::DOCUMENT, " setup\n.html"), "setup.html");
    }

    #[test]
    fn a_frame_takes_the_base_of_its_container_unless_it_has_its_own() {
        let html = "<iframe srcdoc='<a href=x>'></iframe><iframe srcdoc='<base href=in/><a href=x>'></iframe>";
        let page = page(html, Some("https://shop.example/a/"));
        let links: Vec<_> = page
            .document()
            .composed_descendants(NodeId::DOCUMENT)
            .filter(|&node| page.document().is_html(node, name::A))
            .map(|node| page.resolve(node, "x").into_owned())
            .collect();
        assert_eq!(links, ["https://shop.example/a/x", "https://shop.example/a/in/x"]);
    }

    #[test]
    fn an_address_that_is_no_url_is_an_error_that_says_so() {
        let options = PageOptions::default().with_url("shop.example");
        let error = Page::read(b"<p>x", &options).expect_err("not absolute");
        assert!(error.to_string().contains("https://"), "{error}");
    }
}
