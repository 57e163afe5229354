//! What a DOM says, as far as Markdown can say it: two pages with the same canonical form have
//! the same content.
//!
//! Elements that Markdown has nothing for are left out and their content stays. Words between
//! blocks are a paragraph. White space is folded and carries no emphasis; each word counts with
//! the set of what formats it, so that the order of nesting does not matter. If one item of a
//! list holds a paragraph, all do. Empty blocks say nothing, nor do pictures without address and
//! description, nor titles that repeat the words they belong to. A table's spans are resolved. A
//! link around several blocks is one link: that of its heading, or else of its first words. A link
//! that shows nothing shows its title, which is its name then.

use std::collections::BTreeSet;

use snapshot_core::document::{Document, NodeId, NodeKind, name};
use snapshot_core::parse::{ParseOptions, parse_html};

/// The canonical form, one block a line.
pub(crate) fn canonical(html: &str) -> String {
    let mut parsed = parse_html(html, &ParseOptions::default()).expect("parses");
    settle_links(&mut parsed.document);
    let mut blocks = Vec::new();
    let mut inline = Inline::default();
    let formats = BTreeSet::new();
    walk(&parsed.document, NodeId::DOCUMENT, &formats, &mut inline, &mut blocks);
    flush(&mut inline, &mut blocks);
    let mut text = String::new();
    write(&blocks, 0, &mut text);
    text
}

/// The canonical form's blocks at the top, each with what it holds.
pub(crate) fn canonical_blocks(html: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    for line in canonical(html).lines() {
        match blocks.last_mut() {
            Some(block) if line.starts_with(' ') => {
                block.push('\n');
                block.push_str(line);
            }
            _ => blocks.push(line.to_owned()),
        }
    }
    blocks
}

#[derive(Debug)]
struct Block {
    name: String,
    text: String,
    children: Vec<Block>,
}

#[derive(Debug, Default)]
struct Inline {
    /// Pieces with what formats them.
    pieces: Vec<(String, BTreeSet<String>)>,
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn flush(inline: &mut Inline, blocks: &mut Vec<Block>) {
    let text = inline_text(std::mem::take(inline));
    // Two breaks in a row are how people part paragraphs by hand.
    for text in text.split("↵↵").map(|text| text.trim_matches('↵')).filter(|text| !text.is_empty()) {
        blocks.push(Block { name: "words".to_owned(), text: text.to_owned(), children: Vec::new() });
    }
}

fn inline_text(inline: Inline) -> String {
    let mut text = String::new();
    let mut formats = BTreeSet::new();
    let mut space = false;
    for (piece, piece_formats) in inline.pieces {
        // A code span or image is one piece, marked by a first control character.
        let whole = piece.starts_with('\u{1}');
        let characters: Vec<char> = if whole { vec!['\u{1}'] } else { piece.chars().collect() };
        for character in characters {
            if !whole && character.is_whitespace() && character != '\n' {
                space = true;
                continue;
            }
            if character == '\n' {
                // A hard break.
                space = false;
                if !text.is_empty() {
                    text.push_str(&tags(&formats, &BTreeSet::new()));
                    formats.clear();
                    text.push('↵');
                }
                continue;
            }
            if space && !text.is_empty() && !text.ends_with('↵') {
                text.push_str(&tags(&formats, &BTreeSet::new()));
                formats.clear();
                text.push(' ');
            }
            space = false;
            text.push_str(&tags(&formats, &piece_formats));
            formats.clone_from(&piece_formats);
            if whole {
                text.push_str(&piece[1..]);
            } else {
                text.push(character);
            }
        }
    }
    text.push_str(&tags(&formats, &BTreeSet::new()));
    text.trim_end_matches('↵').trim().to_owned()
}

/// What ends and begins between two sets of formats.
fn tags(before: &BTreeSet<String>, after: &BTreeSet<String>) -> String {
    if before == after {
        return String::new();
    }
    let mut text = String::new();
    for format in before.iter().rev() {
        text.push_str(&format!("</{}>", format.split(' ').next().unwrap_or("")));
    }
    for format in after {
        text.push_str(&format!("<{format}>"));
    }
    text
}

/// Links around blocks are moved into their heading or around their first words.
fn settle_links(document: &mut Document) {
    const HEADINGS: &[&str] = &["h1", "h2", "h3", "h4", "h5", "h6"];
    let stands_alone = |document: &Document, node: NodeId| {
        let name = document.local_name(node);
        document.is_element(node)
            && (is_block(name)
                || HEADINGS.contains(&name)
                || matches!(
                    name,
                    "p" | "ul" | "ol" | "li" | "blockquote" | "pre" | "hr" | "table" | "dl" | "dt" | "dd"
                ))
    };
    let links: Vec<NodeId> = document
        .descendants(NodeId::DOCUMENT)
        .filter(|&node| document.is_html(node, name::A) && document.has_attribute(node, name::HREF))
        .filter(|&node| document.descendants(node).any(|inner| stands_alone(document, inner)))
        .collect();
    for link in links {
        let shows = |document: &Document, node: NodeId| {
            document.is_html(node, name::IMG) || !document.text(node).trim().is_empty()
        };
        let heading = document.descendants(link).find(|&inner| HEADINGS.contains(&document.local_name(inner)));
        let Some(first) = document.descendants(heading.unwrap_or(link)).find(|&inner| shows(document, inner)) else {
            continue;
        };
        // The highest inline element around the words, and those beside it.
        let mut start = first;
        while let Some(parent) =
            document.parent(start).filter(|&parent| parent != link && !stands_alone(document, parent))
        {
            start = parent;
        }
        let siblings = std::iter::successors(Some(start), |&node| document.next_sibling(node));
        let run: Vec<NodeId> = siblings.take_while(|&node| !stands_alone(document, node)).collect();
        let attributes: Vec<_> =
            document.attributes(link).map(|attribute| (attribute.name, attribute.value.to_owned())).collect();
        let moved = document.create_element(name::A, snapshot_core::document::Namespace::Html);
        for (name, value) in attributes {
            document.set_attribute(moved, name, &value);
        }
        document.insert_before(start, moved);
        for node in run {
            document.append(moved, node);
        }
        document.unwrap(link);
    }
}

fn walk(document: &Document, node: NodeId, formats: &BTreeSet<String>, inline: &mut Inline, blocks: &mut Vec<Block>) {
    for child in document.children(node) {
        match document.kind(child) {
            NodeKind::Text => {
                let text: String = document.text(child).chars().map(|c| if c == '\n' { ' ' } else { c }).collect();
                inline.pieces.push((text, formats.clone()));
            }
            NodeKind::Element => element(document, child, formats, inline, blocks),
            _ => {}
        }
    }
}

fn element(
    document: &Document,
    node: NodeId,
    formats: &BTreeSet<String>,
    inline: &mut Inline,
    blocks: &mut Vec<Block>,
) {
    let attribute = |name| {
        let value = document.attribute(node, name).unwrap_or("");
        if name == name::TITLE {
            value.split_whitespace().collect::<Vec<_>>().join(" ")
        } else {
            value.trim().to_owned()
        }
    };
    let mut with = formats.clone();
    match document.local_name(node) {
        "head" | "script" | "style" | "template" | "title" => return,
        "em" | "i" => _ = with.insert("em".to_owned()),
        "strong" | "b" => _ = with.insert("strong".to_owned()),
        "del" | "s" | "strike" => _ = with.insert("del".to_owned()),
        name @ ("sub" | "sup" | "ins" | "mark" | "kbd") => _ = with.insert(name.to_owned()),
        "a" if document.has_attribute(node, name::HREF) => {
            let shown = document
                .descendants(node)
                .any(|inner| document.is_html(inner, name::IMG) || !document.text(inner).trim().is_empty());
            let mut title = attribute(name::TITLE);
            if title == folded(&document.text_content(node)) {
                title.clear();
            }
            if !shown {
                let link = format!("a {} \"\"", address(&attribute(name::HREF)));
                if title.is_empty() {
                    inline.pieces.push((format!("\u{1}[{link}]"), formats.clone()));
                } else {
                    with.insert(link);
                    inline.pieces.push((title, with));
                }
                return;
            }
            let link = format!("a {} {title:?}", address(&attribute(name::HREF)));
            with.insert(link);
        }
        "br" => {
            inline.pieces.push(("\n".to_owned(), BTreeSet::new()));
            return;
        }
        "img" => {
            if [name::ALT, name::SRC, name::TITLE].into_iter().all(|part| attribute(part).is_empty()) {
                return;
            }
            let image = format!(
                "\u{1}![{}]({} {:?})",
                folded(&attribute(name::ALT)),
                address(&attribute(name::SRC)),
                attribute(name::TITLE)
            );
            inline.pieces.push((image, formats.clone()));
            return;
        }
        "input" => {
            if attribute(name::TYPE) == "checkbox" {
                let ticked = document.has_attribute(node, name::CHECKED);
                inline.pieces.push((format!("\u{1}[{}]", if ticked { "x" } else { " " }), formats.clone()));
                inline.pieces.push((" ".to_owned(), formats.clone()));
            }
            return;
        }
        "code" | "tt" | "samp" => {
            let mut text = String::new();
            for character in document.text_content(node).chars() {
                let character = if matches!(character, '\n' | '\t' | '\r') { ' ' } else { character };
                if character != ' ' || !text.ends_with(' ') {
                    text.push(character);
                }
            }
            if !text.is_empty() {
                inline.pieces.push((format!("\u{1}`{text}`"), formats.clone()));
            }
            return;
        }
        name @ ("h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "dt") => {
            flush(inline, blocks);
            let mut inner = Vec::new();
            walk(document, node, formats, inline, &mut inner);
            flush(inline, &mut inner);
            let words: Vec<String> =
                inner.into_iter().map(|block| block.text).filter(|text| !text.is_empty()).collect();
            push(blocks, Block { name: name.to_owned(), text: words.join(" "), children: Vec::new() });
            return;
        }
        "pre" => {
            flush(inline, blocks);
            let language = document
                .descendants(node)
                .filter(|&inner| document.is_element(inner))
                .find_map(|inner| document.attribute(inner, name::CLASS)?.strip_prefix("language-"))
                .and_then(|language| language.split_whitespace().next().map(str::to_owned))
                .unwrap_or_default();
            let text = document.text_content(node);
            let text = text.strip_suffix('\n').unwrap_or(&text);
            blocks.push(Block { name: format!("pre {language}"), text: format!("{text:?}"), children: Vec::new() });
            return;
        }
        "hr" => {
            flush(inline, blocks);
            blocks.push(Block { name: "hr".to_owned(), text: String::new(), children: Vec::new() });
            return;
        }
        name @ ("p" | "ul" | "ol" | "li" | "blockquote" | "table" | "tr" | "td" | "th" | "dl" | "dd") => {
            flush(inline, blocks);
            let mut children = Vec::new();
            walk(document, node, formats, inline, &mut children);
            flush(inline, &mut children);
            let mut block = Block { name: name.to_owned(), text: String::new(), children };
            match name {
                "p" => {
                    // Nothing but words can be in it.
                    for mut inner in block.children {
                        if inner.name == "words" {
                            inner.name = "p".to_owned();
                        }
                        blocks.push(inner);
                    }
                    return;
                }
                "ol" => {
                    let start = attribute(name::START);
                    block.name = format!("ol {}", start.parse::<u32>().unwrap_or(1));
                    loosen(&mut block);
                }
                "ul" => loosen(&mut block),
                "blockquote" | "dd" => name_words(&mut block.children),
                "td" | "th" => {
                    let style = attribute(name::STYLE).replace("text-align:", "").replace(';', "");
                    let align = if style.trim().is_empty() { attribute(name::ALIGN) } else { style.trim().to_owned() };
                    block.name = format!("{name} {align}");
                    let words: Vec<String> = block.children.drain(..).map(|child| child.text).collect();
                    block.text = words.join("↵");
                    blocks.push(block);
                    return;
                }
                _ => {}
            }
            if name == "tr" && block.children.iter().all(|cell| cell.text.is_empty()) {
                return;
            }
            if name == "table" {
                // A caption is a paragraph before its table.
                let (rows, captions) = block.children.into_iter().partition(|child| child.name == "tr");
                block.children = rows;
                blocks.extend::<Vec<Block>>(captions);
                resolve_spans(document, node, &mut block);
                // Alignment is the column's: its first cell says it; and only the first row heads.
                for cell in block.children.iter_mut().skip(1).flat_map(|row| &mut row.children) {
                    "td ".clone_into(&mut cell.name);
                }
            }
            if name == "li" {
                blocks.push(block);
            } else {
                push(blocks, block);
            }
            return;
        }
        "span" | "u" | "small" | "abbr" | "a" | "q" | "cite" | "font" | "label" | "big" | "dfn" | "var" | "time" => {}
        name if is_block(name) => {
            flush(inline, blocks);
            walk(document, node, formats, inline, blocks);
            flush(inline, blocks);
            return;
        }
        _ => {}
    }
    walk(document, node, &with, inline, blocks);
}

/// Puts an empty cell where another row's or column's cell reaches, and behind short rows, as a
/// table without spans has them. Columns in which no cell begins are left out.
fn resolve_spans(document: &Document, table: NodeId, block: &mut Block) {
    let number = |cell: NodeId, attribute| {
        document.attribute(cell, attribute).and_then(|value| value.trim().parse::<usize>().ok()).unwrap_or(1).max(1)
    };
    let is_cell = |node: &NodeId| document.is_html(*node, name::TD) || document.is_html(*node, name::TH);
    let rows: Vec<Vec<NodeId>> = document
        .descendants(table)
        .filter(|&node| document.is_html(node, name::TR))
        .map(|row| document.children(row).filter(is_cell).collect())
        .collect();
    if rows.len() != block.children.len()
        || rows.iter().zip(&block.children).any(|(row, block)| row.len() != block.children.len())
    {
        return;
    }
    let mut free_from: Vec<usize> = Vec::new();
    let mut starts: Vec<Vec<usize>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let mut column = 0;
        let mut begun = Vec::new();
        for &cell in row {
            while free_from.get(column).is_some_and(|&free| free > at) {
                column += 1;
            }
            begun.push(column);
            let (width, height) = (number(cell, name::COLSPAN), number(cell, name::ROWSPAN));
            free_from.resize(free_from.len().max(column + width), 0);
            free_from[column..column + width].fill(at + height);
            column += width;
        }
        starts.push(begun);
    }
    let columns: BTreeSet<usize> = starts.iter().flatten().copied().collect();
    for (row, begun) in block.children.iter_mut().zip(starts) {
        let mut cells = std::mem::take(&mut row.children).into_iter();
        row.children = columns
            .iter()
            .map(|column| {
                let empty = Block { name: "td ".to_owned(), text: String::new(), children: Vec::new() };
                if begun.contains(column) { cells.next().unwrap_or(empty) } else { empty }
            })
            .collect();
        if let Some(first) = row.children.iter().find(|cell| cell.name.starts_with("th")).map(|_| "th ")
            && row.children.iter().all(|cell| cell.text.is_empty() || cell.name.starts_with("th"))
        {
            row.children
                .iter_mut()
                .filter(|cell| cell.text.is_empty())
                .for_each(|cell| first.clone_into(&mut cell.name));
        }
    }
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "html"
            | "body"
            | "div"
            | "section"
            | "article"
            | "aside"
            | "header"
            | "footer"
            | "main"
            | "nav"
            | "form"
            | "fieldset"
            | "figure"
            | "figcaption"
            | "address"
            | "center"
            | "details"
            | "summary"
            | "dialog"
            | "caption"
    )
}

/// Empty blocks say nothing.
fn push(blocks: &mut Vec<Block>, block: Block) {
    if !block.text.is_empty() || !block.children.is_empty() {
        blocks.push(block);
    }
}

fn name_words(blocks: &mut [Block]) {
    for block in blocks.iter_mut().filter(|block| block.name == "words") {
        "p".clone_into(&mut block.name);
    }
}

/// If one item holds a paragraph or blocks that only a blank line keeps apart, all are loose.
fn loosen(list: &mut Block) {
    let parts = |item: &Block| item.children.iter().filter(|child| child.name == "words").count();
    let loose = list.children.iter().any(|item| item.children.iter().any(|child| child.name == "p") || parts(item) > 1);
    if loose {
        list.children.iter_mut().for_each(|item| name_words(&mut item.children));
    }
}

/// Percent-encoding is a matter of taste.
fn address(address: &str) -> String {
    let address: String = address.chars().filter(|character| !matches!(character, '\n' | '\r' | '\t')).collect();
    let bytes = address.as_bytes();
    let mut decoded = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let hex = (bytes[at] == b'%')
            .then(|| address.get(at + 1..at + 3).and_then(|hex| u8::from_str_radix(hex, 16).ok()))
            .flatten();
        decoded.push(hex.unwrap_or(bytes[at]));
        at += if hex.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

fn write(blocks: &[Block], depth: usize, text: &mut String) {
    for block in blocks {
        let name = if block.name == "words" && depth == 0 { "p" } else { &block.name };
        text.push_str(&format!("{}{name}: {}\n", "  ".repeat(depth), block.text));
        write(&block.children, depth + 1, text);
    }
}
