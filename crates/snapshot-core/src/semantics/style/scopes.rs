//! Which style sheets apply to which tree: the document, each shadow tree, each frame's page.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};
use url::Url;

use super::declaration::Texts;
use super::media::media_matches;
use super::plain::Classes;
use super::rule_index::SheetUse;
use super::sheet::{LayerPath, Sheet};
use crate::document::{Document, NodeId, NodeKind, name};

/// The sheets of a page, each read once, and the trees that use them.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    pub(super) sheets: Vec<Sheet>,
    /// Each tree that has sheets, by its root, with the sheets in cascade order.
    pub(super) trees: Vec<(NodeId, Vec<SheetUse>)>,
    /// Whether the page links a sheet that is not here.
    pub(super) lacks_sheets: bool,
}

/// Sheets that import sheets, that deep.
const MAX_IMPORT_DEPTH: usize = 8;

/// Uses of sheets on one page, imported ones included.
const MAX_USES: usize = 20_000;

impl Scopes {
    /// Reads the sheets of a page: those of its `style` and `link` elements.
    pub(super) fn collect(
        document: &Document,
        sources: &[NodeId],
        classes: Option<&Classes>,
        external: &ExternalSheets<'_>,
        texts: &mut Texts,
    ) -> Self {
        let mut reader =
            Reader { external, classes, texts, scopes: Self::default(), by_text: FxHashMap::default(), uses: 0 };
        let mut positions: FxHashMap<NodeId, usize> = FxHashMap::default();
        for &node in sources {
            let root = document.root(node);
            let mut found = Vec::new();
            if document.is_html(node, name::LINK) {
                reader.link(document, node, external.base(document, root), &mut found);
            } else if is_css(document, node) && media_holds(document, node) {
                let base = external.base(document, root);
                reader.text(&document.text_content(node), base, &LayerPath::new(), 0, &mut found);
            }
            if !found.is_empty() {
                let trees = &mut reader.scopes.trees;
                let position = *positions.entry(root).or_insert_with(|| {
                    trees.push((root, Vec::new()));
                    trees.len() - 1
                });
                trees[position].1.append(&mut found);
            }
        }
        let mut scopes = reader.scopes;
        for (_, uses) in &mut scopes.trees {
            drop_repeated(&scopes.sheets, uses);
        }
        scopes
    }
}

/// Of a sheet that a tree has many times, only the last use can win; the first one matters to the
/// order of layers.
fn drop_repeated(sheets: &[Sheet], uses: &mut Vec<SheetUse>) {
    let mut seen: FxHashSet<SheetUse> = FxHashSet::default();
    let mut kept: Vec<SheetUse> = std::mem::take(uses);
    kept.reverse();
    kept.retain(|sheet_use| {
        let has_layers = !sheet_use.layer.is_empty() || !sheets[sheet_use.sheet].layers.is_empty();
        has_layers || seen.insert(sheet_use.clone())
    });
    kept.reverse();
    *uses = kept;
}

/// The sheets that are not in the document itself, as an MHTML file brings them, and what the
/// page's links to them are relative to.
#[derive(Clone, Copy, Debug)]
pub struct ExternalSheets<'page> {
    /// The text of each sheet by its absolute address.
    pub by_address: &'page BTreeMap<String, String>,
    /// The base address of each document of the page that has one, by its node: the page's own
    /// and those of its frames (HTML Standard, "document base URL").
    pub bases: &'page BTreeMap<NodeId, Url>,
}

impl ExternalSheets<'_> {
    /// No sheets.
    pub const NONE: ExternalSheets<'static> = ExternalSheets { by_address: &BTreeMap::new(), bases: &BTreeMap::new() };

    /// The base address in a tree: that of its document.
    fn base(&self, document: &Document, root: NodeId) -> Option<&Url> {
        let mut root = root;
        while document.kind(root) == NodeKind::ShadowRoot {
            root = document.root(document.host(root)?);
        }
        self.bases.get(&root)
    }
}

fn is_css(document: &Document, node: NodeId) -> bool {
    let kind = document.attribute(node, name::TYPE).unwrap_or("").trim();
    let kind = kind.split(';').next().unwrap_or("").trim();
    kind.is_empty() || kind.eq_ignore_ascii_case("text/css")
}

fn media_holds(document: &Document, node: NodeId) -> bool {
    document.attribute(node, name::MEDIA).is_none_or(media_matches)
}

struct Reader<'page> {
    external: &'page ExternalSheets<'page>,
    classes: Option<&'page Classes>,
    texts: &'page mut Texts,
    scopes: Scopes,
    by_text: FxHashMap<Box<str>, usize>,
    uses: usize,
}

impl Reader<'_> {
    fn link(&mut self, document: &Document, node: NodeId, base: Option<&Url>, found: &mut Vec<SheetUse>) {
        let relation = document.attribute(node, name::REL).unwrap_or("");
        let is = |word: &str| relation.split_ascii_whitespace().any(|token| token.eq_ignore_ascii_case(word));
        let applies = is("stylesheet")
            && !is("alternate")
            && !document.has_attribute(node, name::DISABLED)
            && is_css(document, node)
            && media_holds(document, node);
        if let Some(address) = document.attribute(node, name::HREF).filter(|_| applies) {
            self.address(address, base, &LayerPath::new(), 0, found);
            self.scopes.lacks_sheets |= found.is_empty();
        }
    }

    fn address(
        &mut self,
        address: &str,
        base: Option<&Url>,
        layer: &LayerPath,
        depth: usize,
        found: &mut Vec<SheetUse>,
    ) {
        let address = address.trim();
        if let Some(text) = data_url_text(address) {
            return self.text(&text, base, layer, depth, found);
        }
        let external = self.external;
        let resolved = match base {
            Some(base) => base.join(address).ok(),
            None => Url::parse(address).ok(),
        };
        let lookup = |address: &str| external.by_address.get_key_value(address.split('#').next().unwrap_or(address));
        let sheet = lookup(address).or_else(|| resolved.as_ref().and_then(|resolved| lookup(resolved.as_str())));
        if let Some((own, text)) = sheet {
            let own = Url::parse(own).ok().or(resolved);
            self.text(text, own.as_ref(), layer, depth, found);
        }
    }

    /// Adds a sheet behind those that it imports.
    fn text(&mut self, text: &str, base: Option<&Url>, layer: &LayerPath, depth: usize, found: &mut Vec<SheetUse>) {
        if self.uses >= MAX_USES || depth > MAX_IMPORT_DEPTH {
            return;
        }
        self.uses += 1;
        let number = match self.by_text.get(text) {
            Some(&number) => number,
            None => {
                let sheet = Sheet::parse(text, self.classes, self.texts);
                self.scopes.sheets.push(sheet);
                let number = self.scopes.sheets.len() - 1;
                self.by_text.insert(text.into(), number);
                number
            }
        };
        for import in self.scopes.sheets[number].imports.clone() {
            let mut inner = layer.clone();
            inner.extend(import.layer.into_iter().flatten());
            self.address(&import.address, base, &inner, depth + 1, found);
        }
        found.push(SheetUse { sheet: number, layer: layer.clone() });
    }
}

/// The text of `data:text/css,…`.
fn data_url_text(address: &str) -> Option<String> {
    let rest = address.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("data:")).and(address.get(5..))?;
    let (kind, data) = rest.split_once(',')?;
    if !kind.trim().get(..8).is_some_and(|kind| kind.eq_ignore_ascii_case("text/css")) {
        return None;
    }
    if kind.trim_end().to_ascii_lowercase().ends_with(";base64") {
        let bytes = mail_parser::decoders::base64::base64_decode(data.as_bytes())?;
        return Some(String::from_utf8_lossy(&bytes).into_owned());
    }
    Some(percent_decode(data))
}

fn percent_decode(data: &str) -> String {
    let mut bytes = Vec::with_capacity(data.len());
    let mut rest = data.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        match digits.filter(|_| byte == b'%').and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(decoded) => {
                bytes.push(decoded);
                rest = after.get(2..).unwrap_or(&[]);
            }
            None => {
                bytes.push(byte);
                rest = after;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
