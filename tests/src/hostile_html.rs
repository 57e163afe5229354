//! Makes HTML that no author would write: pieces of markup in any order, and mutations of pages.
//! The same seed makes the same text on every machine.

/// A source of numbers that look random (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`; 0 when that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.number() >> 33).unwrap_or(0) % end.max(1)
    }

    /// True once in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of the items, which must not be none.
    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }
}

const TAGS: &[&str] = &[
    "a",
    "b",
    "i",
    "p",
    "div",
    "span",
    "table",
    "tr",
    "td",
    "th",
    "tbody",
    "thead",
    "tfoot",
    "caption",
    "col",
    "colgroup",
    "ul",
    "li",
    "dl",
    "dd",
    "dt",
    "select",
    "option",
    "optgroup",
    "button",
    "form",
    "input",
    "svg",
    "math",
    "mi",
    "mtext",
    "annotation-xml",
    "foreignObject",
    "desc",
    "title",
    "textarea",
    "style",
    "script",
    "xmp",
    "iframe",
    "noembed",
    "noframes",
    "noscript",
    "plaintext",
    "template",
    "html",
    "head",
    "body",
    "frameset",
    "frame",
    "br",
    "hr",
    "img",
    "image",
    "pre",
    "listing",
    "h1",
    "h2",
    "nobr",
    "font",
    "center",
    "applet",
    "marquee",
    "object",
    "ruby",
    "rb",
    "rt",
    "rp",
    "rtc",
    "x-y",
    "custom-element",
    "fieldset",
    "blockquote",
    "meta",
    "link",
    "base",
    "hr",
    "keygen",
    "address",
    "details",
    "summary",
    "dialog",
    "menu",
    "search",
    "sarcasm",
    "mglyph",
    "malignmark",
];

const ATTRIBUTES: &[&str] = &[
    "a",
    "b",
    "id",
    "class",
    "href",
    "type",
    "A",
    "onclick",
    "data-x",
    "data-long-name",
    "aria-label",
    "encoding",
    "color",
    "face",
    "size",
    "xlink:href",
    "xml:lang",
    "xmlns",
    "xmlns:xlink",
    "viewbox",
    "definitionurl",
    "hidden",
    "content",
    "charset",
    "http-equiv",
    "checked",
    "=",
    "\"",
    "'",
    "<",
    "é",
    "\0",
    "a\0b",
    "/",
    "a=b",
    "`",
];

const VALUES: &[&str] = &[
    "",
    "x",
    "text/html",
    "hidden",
    "a b",
    "&amp;",
    "&amp",
    "&copy=1",
    "&notit;",
    "&#65;",
    "&#x",
    "\0",
    "é",
    "\r\n",
    "a\nb",
    "<b>",
    "-->",
    "?a=1&b=2&copy;&lt",
    "application/xhtml+xml",
    "&",
    "=",
    "`",
    "x/",
    "a longer value of text",
];

const TEXTS: &[&str] = &[
    "x",
    " ",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\u{c}",
    "text",
    " a b ",
    "\0",
    "\0\0",
    "é",
    "😀",
    "\u{feff}",
    "\u{85}",
    "a\0b",
    "&",
    "&amp;",
    "&amp",
    "&ampx",
    "&lt;",
    "&notin;",
    "&notit;",
    "&nbsp;",
    "&NotEqualTilde;",
    "&#",
    "&#x",
    "&#x;",
    "&#0;",
    "&#x80;",
    "&#xD800;",
    "&#1114112;",
    "&#99999999999;",
    "&#13;",
    "&#x0a;",
    "&#10",
    "&;",
    "&é",
    "&a",
    "&Aacut",
    "&CounterClockwiseContourIntegral;",
    "&CounterClockwiseContourIntegralx",
    "&thetasym",
    "&ltimes;",
    "&lti;",
    "<",
    ">",
    "\"",
    "'",
    "=",
    "/",
    "-",
    "--",
    "!",
    "]",
    "]]",
    "]]>",
    "a < b > c",
    "<<",
    "< ",
    "<3",
    "&lt;b&gt;",
];

const MARKUP: &[&str] = &[
    "<!",
    "<!-",
    "<!--",
    "<!-->",
    "<!--->",
    "<!---->",
    "<!----!>",
    "<!--x",
    "-->",
    "--!>",
    "--!-->",
    "<!--a--b-->",
    "<!-- > -- > -->",
    "<!--<!-->",
    "<!--<!--->",
    "<!--a<!--b-->c-->",
    "<!---!>",
    "<!-x>",
    "<!x>",
    "<?",
    "<?x?>",
    "<?>",
    "</",
    "</>",
    "</ >",
    "</ a>",
    "</3>",
    "</!-- x -->",
    "<![CDATA[",
    "<![CDATA[x]]>",
    "<![cdata[x]]>",
    "<![CDATA[]]]]>",
    "<![CDATA[\0]]>",
    "<!doctype html>",
    "<!DOCTYPE",
    "<!doctype>",
    "<!doctype >",
    "<!DOCTYPEhtml>",
    "<!doctype \0>",
    "<!doctype html public>",
    "<!doctype html public \"-//W3C//DTD HTML 3.2//EN\">",
    "<!doctype html system>",
    "<!doctype html PUBLIC'a'\"b\">",
    "<!doctype html SYSTEM \"about:legacy-compat\">",
    "<!doctype html x>",
    "<!doctype html public \"a>",
    "<!doctype html system 'a' x>",
    "<!doctype html public '-//W3C//DTD XHTML 1.0 Transitional//EN' ''>",
    "<script><!--",
    "<script><!--<script>",
    "</script>",
    "<!--<script>",
    "<!--</script>",
    "<script",
    "</script",
    "<script/>",
    "</SCRIPT\n>",
    "</script/>",
    "<SCRIPT >",
    "</script x>",
    "-->",
    "->",
    "<!--<script></script>-->",
    "<style></style",
    "</title>",
    "</TITLE x=y>",
    "</textarea/>",
    "</style>",
    "</xmp>",
    "<textarea>\n",
    "<pre>\n",
    "<pre>\r\n",
    "<svg><title>",
    "<svg><style>",
    "<math><mi>",
    "<math><annotation-xml encoding=text/html>",
    "<svg><foreignObject>",
    "</svg>",
    "</math>",
    "<svg><script>",
    "<table><tr><td>",
    "<table>x",
    "<table> ",
    "</table>",
    "<select><option>",
    "</p>",
    "</br>",
    "<a><a>",
];

/// A text of this many pieces or fewer.
pub fn pieces(random: &mut Random, most: usize) -> String {
    let mut text = String::new();
    for _ in 0..=random.below(most) {
        match random.below(10) {
            0..3 => tag(random, &mut text),
            3 => end_tag(random, &mut text),
            4..6 => text.push_str(random.pick(MARKUP)),
            6..9 => text.push_str(random.pick(TEXTS)),
            _ => text.push(char::from(u8::try_from(random.below(128)).unwrap_or(b'<'))),
        }
    }
    text
}

fn tag(random: &mut Random, text: &mut String) {
    text.push('<');
    name(random, text, TAGS);
    let attributes = if random.once_in(60) { random.below(60) } else { random.below(4) };
    for _ in 0..attributes {
        text.push_str(random.pick(&[" ", "", "/", "\n", "  ", " / ", "\t", "\u{c}", "\r\n"]));
        name(random, text, ATTRIBUTES);
        if !random.once_in(3) {
            text.push_str(random.pick(&["=", "=", "=", " = ", "=\r", " ="]));
            let value = random.pick(VALUES);
            let quote = random.pick(&["\"", "'", "", "\""]);
            text.push_str(quote);
            text.push_str(value);
            text.push_str(if random.once_in(40) { "" } else { quote });
        }
    }
    text.push_str(random.pick(&[">", ">", ">", ">", "/>", " >", " / >", "\n>", ""]));
}

fn end_tag(random: &mut Random, text: &mut String) {
    text.push_str("</");
    name(random, text, TAGS);
    text.push_str(random.pick(&[">", ">", ">", ">", " >", "/>", " a=b>", " a='>'>", ""]));
}

fn name(random: &mut Random, text: &mut String, names: &[&str]) {
    let name = random.pick(names);
    match random.below(16) {
        0 => text.push_str(&name.to_ascii_uppercase()),
        1 => text.extend([name, random.pick(&["\0", "x", "é", "-", ":", "\""])]),
        _ => text.push_str(name),
    }
}

/// Elements whose rules meet: an input has those of a few groups.
const GROUPS: &[&[&str]] = &[
    &["table", "tr", "td", "th", "tbody", "thead", "tfoot", "caption", "col", "colgroup"],
    &["b", "i", "a", "nobr", "font", "code", "em", "u", "s", "big"],
    &["p", "div", "h1", "h2", "ul", "li", "dl", "dd", "dt", "address", "section", "pre", "hr", "center"],
    &["select", "option", "optgroup", "hr", "input", "button", "textarea", "keygen", "selectlist"],
    &["svg", "g", "foreignObject", "desc", "title", "path", "font", "script", "textPath", "a"],
    &["math", "mi", "mtext", "mo", "annotation-xml", "mglyph", "malignmark", "mrow"],
    &["template", "script", "style", "title", "meta", "link", "base", "noscript", "noframes"],
    &["html", "head", "body", "frameset", "frame", "noframes", "br"],
    &["form", "fieldset", "input", "button", "label", "object", "applet", "marquee", "select"],
    &["ruby", "rb", "rt", "rp", "rtc", "span", "x-y", "summary", "details", "dialog", "image", "img"],
];

/// Attributes that trees depend on, and those by which formatting elements differ.
const TELLING_ATTRIBUTES: &[&str] = &[
    "type=hidden",
    "type=HIDDEN",
    "type=text",
    "encoding=text/html",
    "encoding=application/xhtml+xml",
    "color=red",
    "face=a",
    "size=1",
    "class=a",
    "class=b id=c",
    "id=c class=b",
    "viewbox=1",
    "definitionurl=1",
    "xlink:href=a xmlns:xlink=b xml:lang=c xmlns=d",
];

/// Tags that are written properly and lie in one another any way, with little between them: what
/// a tree builder has to put right.
pub fn tags(random: &mut Random, most: usize) -> String {
    let groups = [random.pick(GROUPS), random.pick(GROUPS), random.pick(GROUPS)];
    let mut text = String::new();
    if random.once_in(3) {
        text.push_str("<!doctype html>");
    }
    for _ in 0..=random.below(most) {
        let names = random.pick(&groups);
        match random.below(12) {
            0..6 => {
                let name = random.pick(names);
                text.extend(["<", name]);
                if random.once_in(5) {
                    text.extend([" ", random.pick(TELLING_ATTRIBUTES)]);
                }
                text.push_str(if random.once_in(20) { "/>" } else { ">" });
            }
            6..9 => text.extend(["</", random.pick(names), ">"]),
            9 => text.push_str(random.pick(&["x", " ", "\n", " y ", "\0", "&amp;", "z\0z", " \0"])),
            10 => text.push_str(random.pick(&["x", "<!--c-->", "<![CDATA[d]]>", "</p>", "</br>", "<br>", "e "])),
            _ => {
                let names = random.pick(GROUPS);
                let name = random.pick(names);
                let opening = random.pick(&["<", "</"]);
                text.extend([opening, name, ">"]);
            }
        }
    }
    text
}

/// A stretch of a page with a few changes.
pub fn mutation(random: &mut Random, page: &str, most_bytes: usize) -> String {
    let start = page.floor_char_boundary(random.below(page.len()));
    let length = 1 + random.below(most_bytes);
    let end = page.floor_char_boundary((start + length).min(page.len()));
    let mut text = page[start..end].to_owned();
    for _ in 0..random.below(4) {
        change(random, &mut text);
    }
    text
}

/// Leaves something out, says it twice, or puts something between.
pub fn change(random: &mut Random, text: &mut String) {
    let at = text.floor_char_boundary(random.below(text.len() + 1));
    let end = text.floor_char_boundary((at + 1 + random.below(12)).min(text.len()));
    match random.below(6) {
        0 if at < end => text.replace_range(at..end, ""),
        1 if at < end => {
            let twice = text[at..end].to_owned();
            text.insert_str(at, &twice);
        }
        2 => text.truncate(at),
        3 => text.insert_str(at, random.pick(MARKUP)),
        4 => text.insert_str(at, random.pick(TEXTS)),
        _ => {
            let more = pieces(random, 2);
            text.insert_str(at, &more);
        }
    }
}
