//! Keeps the page's main content: the article, without what stands around and between.
//!
//! Before: `<nav><a href=/>Home</a></nav><main><h1>Storm</h1><p>The harbour was closed …</p></main>`
//!
//! After: `<main><h1>Storm</h1><p>The harbour was closed …</p></main>`
//!
//! A `main` landmark limits the search when the page has exactly one. Within it, each block of
//! running text speaks for the elements around it, each block of links or scraps, and all that
//! calls itself navigation, comments, sharing and the like, against them; the element with the
//! best balance stays, without the parts that speak against it. A page without running text
//! stays as it is.

use super::Stage;
use crate::document::{Document, Name, Namespace, NodeId, name};
use crate::draft::Draft;
use crate::error::{Diagnostic, Error};
use crate::flat_tree::FlatTree;
use crate::semantics::{Role, Visibility};

/// The stage; it has no options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct MainContent {}

impl Stage for MainContent {
    fn apply(&self, draft: &mut Draft<'_>) -> Result<(), Error> {
        let tree = FlatTree::new(draft.document());
        let weights = weigh(draft, &tree);
        let best = landmark(draft, &tree, &weights).or_else(|| best(draft, &tree, &weights));
        let Some(best) = best else {
            draft.diagnose(Diagnostic::info("the page has no running text; all of it was kept"));
            return Ok(());
        };
        let mut gone = Vec::new();
        let mut position = 1;
        while position < tree.len() {
            let around = position < best && best < tree.end(position);
            let inside = (best..tree.end(best)).contains(&position);
            if around || (inside && !(position > best && is_aside(draft, &tree, &weights, position))) {
                position += 1;
                continue;
            }
            let node = tree.node(position);
            if draft.document().is_element(node) || (draft.document().is_text(node) && !inside) {
                gone.push((node, inside));
            }
            position = tree.end(position);
        }
        for (node, inside) in gone {
            if !draft.document().is_html(node, name::HEAD) {
                draft
                    .remove(node, if inside { "no part of the article around it" } else { "outside the main content" });
            }
        }
        Ok(())
    }
}

/// What the subtree at a position holds, in characters.
#[derive(Clone, Copy, Debug, Default)]
struct Weight {
    /// Running text.
    good: i64,
    /// Links, scraps, and what calls itself something else.
    bad: i64,
    text: i64,
    links: i64,
    /// The element or one around it calls itself something other than content.
    unlikely: bool,
    /// It is part of a table that has heads, or holds one.
    headed: bool,
}

/// Fewer characters outside of links do not make running text; letters of scripts without
/// spaces count for three.
const RUNNING_TEXT: i64 = 60;

fn weigh(draft: &Draft<'_>, tree: &FlatTree) -> Vec<Weight> {
    let document = draft.document();
    let blocks = blocks(draft, tree);
    let running = |block: &Block| {
        let own = block.text - block.links;
        if own >= RUNNING_TEXT && block.links * 2 < block.text { own } else { 0 }
    };
    let mut below: Vec<i64> = blocks.iter().map(running).collect();
    let mut sums = blocks.clone();
    for position in (1..tree.len()).rev() {
        if let Some(parent) = tree.parent_position(position) {
            below[parent] += below[position];
            let Block { text, links } = sums[position];
            sums[parent].text += text;
            sums[parent].links += links;
        }
    }
    let all = below.first().copied().unwrap_or(0);
    let mut weights = vec![Weight::default(); tree.len()];
    for (position, &node) in tree.nodes().iter().enumerate() {
        // What holds a good part of all running text is content whatever it is called: pages
        // are wrapped in forms, and layouts named after their sidebars.
        let own = document.is_element(node)
            && (below[position] * 3 < all && is_unlikely(draft, node, sums[position].links * 2 >= sums[position].text)
                || below[position] * 4 < all * 3 && is_notice(draft, node));
        let above = tree.parent_position(position).is_some_and(|parent| weights[parent].unlikely);
        weights[position].unlikely = own || above;
    }
    for position in (0..tree.len()).rev() {
        let block = &blocks[position];
        let weight = &mut weights[position];
        weight.text += block.text;
        weight.links += block.links;
        // Headings and the cells of tables are short in articles too.
        let node = tree.node(position);
        let is_neutral = draft.role(node) == Some(Role::Heading)
            || matches!(document.html_name(node), Some(name::TD | name::TH | name::CAPTION));
        let is_paragraph = matches!(
            document.html_name(node),
            Some(name::P | name::LI | name::PRE | name::DD | name::DT | name::BLOCKQUOTE | name::CODE)
        );
        match running(block) {
            _ if weight.unlikely => {}
            0 if is_neutral => {}
            0 if is_paragraph && block.links * 2 <= block.text => weight.good += block.text / 2,
            0 if block.links * 2 > block.text => {}
            0 => weight.bad += block.text,
            own => weight.good += own,
        }
        weight.headed |= document.is_html(node, name::TH);
        let below = *weight;
        if let Some(parent) = tree.parent_position(position) {
            let above = &mut weights[parent];
            above.good += below.good;
            above.bad += below.bad;
            above.text += below.text;
            above.links += below.links;
            above.headed |= below.headed && !document.is_html(node, name::TD);
        }
    }
    weights
}

/// The text that runs directly in a block, in characters.
#[derive(Clone, Copy, Debug, Default)]
struct Block {
    text: i64,
    links: i64,
}

fn blocks(draft: &Draft<'_>, tree: &FlatTree) -> Vec<Block> {
    let document = draft.document();
    let semantics = draft.page().semantics();
    let mut blocks = vec![Block::default(); tree.len()];
    // For each position: whether a link is around it, and its block; none where nothing is read.
    let mut around: Vec<(bool, Option<usize>)> = Vec::with_capacity(tree.len());
    for (position, &node) in tree.nodes().iter().enumerate() {
        let (mut link, mut block) = match tree.parent_position(position) {
            Some(parent) => around[parent],
            None => (false, Some(position)),
        };
        if document.is_element(node) {
            link |= document.is_html(node, name::A) || document.is_html(node, name::BUTTON);
            // A card that is a link as a whole says more than where it leads.
            link &= !document.is_html(node, name::P);
            if is_silent(document, node) || semantics.visibility(node) != Visibility::Visible {
                block = None;
            } else if block.is_some() && semantics.style(node).display.is_block() {
                block = Some(position);
            }
        } else if let Some(block) = block
            && document.is_text(node)
        {
            let length = length(document.text(node));
            blocks[block].text += length;
            blocks[block].links += if link { length } else { 0 };
        }
        around.push((link, block));
    }
    blocks
}

/// Characters without white space, those of scripts that write whole words in one counted thrice.
fn length(text: &str) -> i64 {
    text.chars()
        .map(|character| match character {
            _ if character.is_whitespace() => 0,
            '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' => 3,
            _ => 1,
        })
        .sum()
}

/// What the page itself calls its content: the one `main` landmark that is shown, the one
/// `article` in it or on the page. It must hold most of what would be kept otherwise.
fn landmark(draft: &Draft<'_>, tree: &FlatTree, weights: &[Weight]) -> Option<usize> {
    let semantics = draft.page().semantics();
    let good = |position: usize| weights.get(position).map_or(0, |weight| weight.good);
    let one = |role: Role, region: usize| {
        let mut found = (region..tree.end(region)).filter(|&position| {
            let node = tree.node(position);
            draft.role(node) == Some(role)
                && semantics.visibility(node) == Visibility::Visible
                && !weights.get(position).is_some_and(|weight| weight.unlikely)
        });
        let first = found.next()?;
        // An article may hold others, such as comments.
        let inside = tree.end(first);
        (found.all(|other| other < inside) && good(first) * 2 > good(region)).then_some(first)
    };
    let main = one(Role::Main, 0);
    one(Role::Article, main.unwrap_or(0)).or(main)
}

/// The element with the best balance; the innermost of equals.
fn best(draft: &Draft<'_>, tree: &FlatTree, weights: &[Weight]) -> Option<usize> {
    let balance = |position: usize| weights.get(position).map_or(0, |weight| weight.good - 2 * weight.bad);
    let candidates = (0..tree.len()).filter(|&position| {
        draft.document().is_element(tree.node(position)) && weights.get(position).is_some_and(|weight| weight.good > 0)
    });
    candidates.max_by_key(|&position| (balance(position), position))
}

/// Whether what stands in the article is no part of it: it says so, or is mostly links.
fn is_aside(draft: &Draft<'_>, tree: &FlatTree, weights: &[Weight], position: usize) -> bool {
    let Some(weight) = weights.get(position) else { return false };
    let node = tree.node(position);
    if !draft.document().is_element(node) || draft.document().is_html(node, name::BODY) {
        return false;
    }
    if weight.unlikely && weight.good == 0 {
        return true;
    }
    match draft.document().html_name(node) {
        // Words for who has no scripts.
        Some(name::NOSCRIPT) => return draft.document().element_children(node).next().is_none(),
        // Not a row alone.
        Some(name::THEAD | name::TBODY | name::TFOOT | name::TR | name::TD | name::TH) => return false,
        _ => {}
    }
    // Data may be links too.
    let most = if weight.headed { weight.text * 9 / 10 } else { weight.text / 2 };
    let is_block = draft.page().semantics().style(node).display.is_block();
    is_block && weight.good == 0 && weight.links > most
}

/// Elements without words for a reader.
fn is_silent(document: &Document, node: NodeId) -> bool {
    const SILENT: &[Name] = &[
        name::HEAD,
        name::SCRIPT,
        name::STYLE,
        name::TEMPLATE,
        name::NOSCRIPT,
        name::SELECT,
        name::TEXTAREA,
        name::IFRAME,
    ];
    document.namespace(node) == Some(Namespace::Svg)
        || document.html_name(node).is_some_and(|element| SILENT.contains(&element))
}

/// Whether the element calls itself a notice that lies over the page, or what readers wrote.
fn is_notice(draft: &Draft<'_>, node: NodeId) -> bool {
    const WORDS: &[&str] =
        &["cookie", "cookies", "consent", "gdpr", "ccpa", "modal", "popup", "disqus", "taboola", "outbrain"];
    matches!(draft.role(node), Some(Role::Dialog | Role::AlertDialog | Role::Navigation | Role::Search))
        || calls_itself(draft.document(), node, WORDS)
}

/// Whether a word of the element's classes or id is one of these.
fn calls_itself(document: &Document, node: NodeId, words: &[&str]) -> bool {
    [name::CLASS, name::ID].iter().filter_map(|&attribute| document.attribute(node, attribute)).any(|value| {
        value
            .split(|character: char| !character.is_ascii_alphanumeric())
            .any(|word| words.iter().any(|wanted| word.eq_ignore_ascii_case(wanted)))
    })
}

/// Whether the element calls itself something other than content, by role, name or class.
fn is_unlikely(draft: &Draft<'_>, node: NodeId, is_mostly_links: bool) -> bool {
    /// A menu may also be that of a restaurant.
    const LINK_WORDS: &[&str] = &[
        "breadcrumb",
        "breadcrumbs",
        "menu",
        "nav",
        "navbar",
        "navigation",
        "pagination",
        "pager",
        "tags",
        "toolbar",
        "widget",
    ];
    const WORDS: &[&str] = &[
        "ad",
        "ads",
        "advert",
        "advertisement",
        "banner",
        "byline",
        "comment",
        "comments",
        "consent",
        "cookie",
        "cookies",
        "disqus",
        "footer",
        "masthead",
        "modal",
        "newsletter",
        "outbrain",
        "popup",
        "popular",
        "promo",
        "recommended",
        "related",
        "respond",
        "share",
        "sharing",
        "shares",
        "sidebar",
        "social",
        "sponsor",
        "sponsored",
        "subscribe",
        "taboola",
        "trending",
    ];
    let document = draft.document();
    if matches!(
        document.html_name(node),
        Some(name::NAV | name::ASIDE | name::FOOTER | name::FORM | name::FIELDSET | name::FIGCAPTION | name::DIALOG)
    ) || matches!(
        draft.role(node),
        Some(Role::Navigation | Role::Complementary | Role::ContentInfo | Role::Search | Role::Dialog | Role::Menu)
    ) {
        return true;
    }
    if matches!(document.html_name(node), Some(name::HTML | name::BODY | name::MAIN | name::ARTICLE)) {
        return false;
    }
    calls_itself(document, node, WORDS) || (is_mostly_links && calls_itself(document, node, LINK_WORDS))
}

#[cfg(test)]
mod tests {
    use crate::{Page, PageOptions, Pipeline, Recipe};

    fn check(html: &str, wanted: &str) {
        let page = Page::read(html.as_bytes(), &PageOptions::default()).expect("reads");
        let recipe = Recipe::default().stage("main-content", []);
        let text = Pipeline::new(&recipe, "markdown").expect("exists").run(&page).expect("runs").text;
        assert_eq!(text.trim(), wanted);
    }

    const STORM: &str = "The harbour was closed for most of the night while the storm passed over the town.";

    #[test]
    fn the_article_stays_and_what_is_around_it_goes() {
        check(
            &format!(
                "<nav><a href=/>Home</a></nav><div><h1>Storm</h1><p>{STORM}<p>{STORM}</div><footer>Imprint</footer>"
            ),
            &format!("# Storm\n\n{STORM}\n\n{STORM}"),
        );
        check(
            &format!(
                "<div class=menu>One two</div><article><p>{STORM}<ul class=share-bar><li><a href=/x>Share</a></ul><p>{STORM}</article>"
            ),
            &format!("{STORM}\n\n{STORM}"),
        );
    }

    #[test]
    fn a_page_without_running_text_stays() {
        check("<ul><li><a href=/a>A</a><li><a href=/b>B</a></ul>", "- [A](/a)\n- [B](/b)");
    }
}
