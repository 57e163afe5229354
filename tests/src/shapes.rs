//! Inputs that are slow, deep or large for parsers that do not expect them.

/// A family of hostile inputs: a name, and an input of about as many bytes as asked for.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// What it is, in a few words.
    pub name: &'static str,
    /// Makes an input of about this many bytes.
    pub make: fn(usize) -> String,
}

/// As many copies of `unit` as fit.
fn fill(unit: &str, bytes: usize) -> String {
    unit.repeat((bytes / unit.len()).max(1))
}

/// Copies of what `unit` makes of 0, 1, 2 …, until `bytes` are reached.
fn numbered(bytes: usize, unit: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(bytes + 64);
    let mut number = 0;
    while text.len() < bytes {
        text.push_str(&unit(number));
        number += 1;
    }
    text
}

macro_rules! shapes {
    ($($name:literal => $make:expr,)*) => {
        /// All shapes. Each ends in the word `END`, which must survive wherever it is text.
        pub const SHAPES: &[Shape] = &[$(Shape { name: $name, make: $make },)*];
    };
}

shapes! {
    "div" => |n| fill("<div>", n) + "END",
    "blockquote" => |n| fill("<blockquote>", n) + "END",
    "b" => |n| fill("<b>", n) + "END",
    "ul li" => |n| fill("<ul><li>", n) + "END",
    "li alone" => |n| fill("<li>", n) + "END",
    "table" => |n| fill("<table>", n) + "END",
    "nested tables" => |n| fill("<table><tr><td>", n) + "END",
    "svg g" => |n| format!("<svg>{}END", fill("<g>", n)),
    "svg foreignObject" => |n| fill("<svg><foreignObject>", n) + "END",
    "math" => |n| fill("<math><mi>", n) + "END",
    "template" => |n| fill("<template>", n) + "END",
    "shadow roots" => |n| fill("<div><template shadowrootmode=open>", n) + "END",
    "select" => |n| fill("<select>", n) + "END",
    "select option" => |n| format!("<select>{}END", fill("<option>", n)),
    "optgroup in select" => |n| format!("<select>{}END", fill("<optgroup><option>", n)),
    "selectedcontent" => |n| {
        format!("<select><button><selectedcontent></selectedcontent></button>{}END", fill("<option selected>a</option>", n))
    },
    "button" => |n| fill("<button>", n) + "END",
    "a" => |n| fill("<a href=x>", n) + "END",
    "a in table" => |n| fill("<a href=x><table>", n) + "END",
    "font" => |n| numbered(n, |number| format!("<font size={number}>")) + "END",
    "dl dd" => |n| fill("<dl><dd>", n) + "END",
    "ruby" => |n| fill("<ruby><rt>", n) + "END",
    "form" => |n| fill("<form><div></form>", n) + "END",
    "details" => |n| fill("<details><summary>", n) + "END",
    "object" => |n| fill("<object>", n) + "END",
    "label and span" => |n| fill("<label><span>", n) + "END",
    "closed div" => |n| fill("<div>", n * 5 / 11) + "END" + &fill("</div>", n * 6 / 11),
    "paragraphs in deep div" => |n| fill("<div>", 5000) + &fill("<p>x</p>", n) + "END",
    "spans past the limit" => |n| fill("<div>", 5000) + &fill("<span>x</span> ", n) + "END",
    "formatting" => |n| fill("<b i>", n / 3) + &fill("<i i>", n / 3) + &fill("x</b>", n / 3) + "END",
    "unclosed formatting" => |n| {
        numbered(2000, |number| format!("<b i={number}>")) + &fill("<p>x", n) + "END"
    },
    "formatting with attributes" => |n| {
        format!("<b {}>", numbered(4000, |number| format!("a{number} "))) + &fill("<p>", n) + "END"
    },
    "formatting with a long attribute" => |n| format!("<b title='{}'>", "x".repeat(n / 2)) + &fill("<p>", n / 2) + "END",
    "adoption agency" => |n| fill("<a><b><p>x</a>", n) + "END",
    "adoption of many children" => |n| format!("{}<p>{}{}END", "<i>".repeat(60), fill("<br>", n), "</i>".repeat(60)),
    "adoption in turn" => |n| fill("<b><div></b>", n) + "END",
    "nobr" => |n| fill("<nobr>x<p>", n) + "END",
    "text in table" => |n| format!("<table>{}END", fill("x<tr>", n)),
    "elements in table" => |n| format!("<table>{}END", fill("<b>x<tr>", n)),
    "foster in turn" => |n| format!("<table>{}END", fill("x<td>y</td>", n)),
    "divs in tables" => |n| fill("<table><div>", n) + "END",
    "rows and divs" => |n| fill("<table><tr><div>", n) + "END",
    "attributes" => |n| format!("<p {}>END", numbered(n, |number| format!("a{number} "))),
    "attributes with values" => |n| format!("<p {}>END", numbered(n, |number| format!("a{number}='<p>' "))),
    "attributes of body" => |n| numbered(n, |number| format!("<body a{number}=1>")) + "END",
    "attributes of end tags" => |n| numbered(n, |number| format!("</p a{number} b{number}>")) + "END",
    "one long attribute" => |n| format!("<p title='{}'>END", "x".repeat(n)),
    "many long attributes" => |n| fill(&format!("<p title='{}'>", "x".repeat(4000)), n) + "END",
    "long id and class lists" => |n| format!("<p id='{0}' class='{0}'>END", fill("a b ", n / 2)),
    "never closed attribute" => |n| format!("<p>END<p title='{}", fill("<p>", n)),
    "tags never closed" => |n| fill("<p ", n) + ">END",
    "comment never closed" => |n| format!("END<!--{}", fill("-- ", n)),
    "comment openings" => |n| format!("END{}", fill("<!--", n)),
    "many comments" => |n| fill("<!---->", n) + "END",
    "comment ends" => |n| fill("<!--->-->", n) + "END",
    "cdata" => |n| fill("<![CDATA[", n) + "]]>END",
    "cdata in svg" => |n| format!("<svg>{}END", fill("<![CDATA[x]]>", n)),
    "ampersands" => |n| fill("&", n) + "END",
    "entities" => |n| fill("&amp&notin;&#x1F600;&#xD800;&#0;", n) + "END",
    "long entity" => |n| format!("&{};END", "a".repeat(n)),
    "digits" => |n| format!("&#{};END", "9".repeat(n)),
    "doctypes" => |n| fill("<!DOCTYPE html>", n) + "END",
    "long doctype" => |n| format!("<!DOCTYPE html PUBLIC '{}'>END", "x".repeat(n)),
    "srcdoc" => |n| fill("<iframe srcdoc='<p>x'></iframe>", n) + "END",
    "srcdoc behind attributes" => |n| {
        format!("{}{}END", fill("<i id=x></i>", n / 2), fill("<iframe srcdoc=x></iframe>", n / 2))
    },
    "nested srcdoc" => |n| {
        let mut text = String::from("x");
        while text.len() < n / 4 {
            text = format!("<iframe srcdoc=\"{}\"></iframe>", text.replace('&', "&amp;").replace('"', "&quot;"));
        }
        text + "END"
    },
    "p ends" => |n| fill("</p>", n) + "END",
    "br ends" => |n| fill("</br>", n) + "END",
    "unmatched ends" => |n| numbered(n, |number| format!("</x{number}>")) + "END",
    "unmatched ends deep" => |n| fill("<span>", 3000) + &fill("</b></q></i>", n) + "END",
    "unmatched ends in deep div" => |n| fill("<div>", 5000) + &fill("</p></q></li>", n) + "END",
    "frameset" => |n| fill("<frameset><frame>", n) + "<noframes>END",
    "frames" => |n| fill("<iframe></iframe>", n) + "END",
    "plaintext" => |n| format!("<plaintext>{}END", fill("</plaintext>", n)),
    "script escapes" => |n| format!("<script>{}</script></script>END", fill("<!--<script>", n)),
    "script never closed" => |n| format!("END<script>{}", fill("</scrip", n)),
    "title never closed" => |n| format!("END<title>{}", fill("</titl", n)),
    "nulls" => |n| fill("\0", n) + "END",
    "nulls in tags" => |n| fill("<p\0 a\0='\0'>\0", n) + "END",
    "carriage returns" => |n| fill("\r", n) + "END",
    "carriage returns and feeds" => |n| fill("\r\r\n", n) + "END",
    "wide characters" => |n| fill("é漢😀\u{301}", n) + "END",
    "less than signs" => |n| fill("<", n) + " END",
    "question marks" => |n| fill("<?", n) + ">END",
    "distinct names" => |n| numbered(n, |number| format!("<x{number}></x{number}>")) + "END",
    "distinct attributes" => |n| numbered(n, |number| format!("<i a{number}></i>")) + "END",
    "aria-owns chain" => |n| numbered(n, |number| format!("<p id=i{number} aria-owns=i{}>x</p>", number + 1)) + "END",
    "aria-owns cycle" => |n| {
        let count = n / 40;
        numbered(n, |number| format!("<p id=i{} aria-owns=i{}>x</p>", number % count, (number + 1) % count)) + "END"
    },
    "labelledby chain" => |n| {
        numbered(n, |number| format!("<button id=i{number} aria-labelledby=i{}>x</button>", number + 1)) + "END"
    },
    "all labelled by all" => |n| {
        let ids = numbered(n / 4, |number| format!("i{number} "));
        numbered(n / 2, |number| format!("<b id=i{number}>x</b>")) + &format!("<button aria-labelledby='{ids}'>END</button>")
    },
    "labels" => |n| numbered(n, |number| format!("<label for=i{number}>x</label><input id=i{number}>")) + "END",
    "labels of one" => |n| fill("<label for=i>x</label>", n) + "<input id=i>END",
    "slots" => |n| format!("<div><template shadowrootmode=open>{}</template>{}</div>END", fill("<slot name=a></slot>", n / 2), fill("<i slot=a>x</i>", n / 2)),
    "style rules" => |n| format!("<style>{}</style>{}END", numbered(n / 2, |number| format!(".a{number} b{{display:none}}")), fill("<p class=a1>x", n / 2)),
    "one long text" => |n| "x".repeat(n) + "END",
    "paragraphs" => |n| fill("<p>Parcels leave at noon.</p>\n", n) + "END",
}
