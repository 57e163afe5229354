//! The shop: its teas, its pages, the orders it has taken.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// An order as the shop has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// The tea's name.
    pub tea: String,
    /// How many tins.
    pub tins: u32,
    /// Name, street, postcode, town.
    pub address: [String; 4],
}

/// A page, or another address to go to.
pub(super) enum Answer {
    Page(String),
    Redirect(String),
    Missing,
}

struct Tea {
    id: &'static str,
    name: &'static str,
    kind: &'static str,
    cents: u32,
    about: &'static str,
}

const TEAS: &[Tea] = &[
    Tea {
        id: "gyokuro",
        name: "Gyokuro from Yame",
        kind: "green",
        cents: 2850,
        about: "Shaded for three weeks, sweet and deep.",
    },
    Tea {
        id: "bancha",
        name: "Bancha from Uji",
        kind: "green",
        cents: 640,
        about: "Late harvest, mild, for every day.",
    },
    Tea { id: "sencha", name: "Sencha from Kagoshima", kind: "green", cents: 1190, about: "First flush, grassy." },
    Tea {
        id: "darjeeling",
        name: "Darjeeling, second flush",
        kind: "black",
        cents: 1420,
        about: "Muscatel and stone fruit.",
    },
    Tea { id: "lapsang", name: "Lapsang Souchong", kind: "black", cents: 990, about: "Smoked over pine." },
    Tea {
        id: "oolong",
        name: "Oolong from Nantou",
        kind: "oolong",
        cents: 1650,
        about: "Rolled, floral, many infusions.",
    },
];

/// What the shop knows.
#[derive(Debug, Default)]
pub(super) struct Shop {
    basket: Option<(String, u32)>,
    pub(super) orders: Vec<Order>,
}

impl Shop {
    pub(super) fn get(&self, path: &str, query: &BTreeMap<String, String>) -> Answer {
        match path {
            "/" => Answer::Page(page("Welcome", HOME)),
            "/search" => Answer::Page(page("Search", &results(query))),
            "/basket" => Answer::Page(page("Basket", &self.basket())),
            "/checkout" => Answer::Page(page("Checkout", &checkout(query, &[]))),
            "/thanks" => Answer::Page(page(
                "Thank you",
                "<h1>Thank you</h1><p role=status>Your order is placed. It leaves tomorrow.",
            )),
            _ => match path.strip_prefix("/tea/").and_then(|id| TEAS.iter().find(|tea| tea.id == id)) {
                Some(tea) => Answer::Page(page(tea.name, &product(tea))),
                None => Answer::Missing,
            },
        }
    }

    pub(super) fn post(&mut self, path: &str, form: &BTreeMap<String, String>) -> Answer {
        let field = |name: &str| form.get(name).map(|value| value.trim().to_owned()).unwrap_or_default();
        match path {
            "/basket" => {
                let tins = field("tins").parse().unwrap_or(1);
                self.basket = Some((field("tea"), tins));
                Answer::Redirect("/basket".to_owned())
            }
            "/checkout" => {
                let address = ["name", "street", "postcode", "town"].map(field);
                let mut faults = Vec::new();
                if !is_postcode(&address[2]) {
                    faults.push("A Dutch postcode has four digits and two letters, such as 1234 AB.");
                }
                if address.iter().any(String::is_empty) {
                    faults.push("Every line of the address is needed.");
                }
                let Some((id, tins)) = self.basket.clone().filter(|_| faults.is_empty()) else {
                    return Answer::Page(page("Checkout", &checkout(form, &faults)));
                };
                let tea = TEAS.iter().find(|tea| tea.id == id).map_or(id.as_str(), |tea| tea.name);
                self.orders.push(Order { tea: tea.to_owned(), tins, address });
                self.basket = None;
                Answer::Redirect("/thanks".to_owned())
            }
            _ => Answer::Missing,
        }
    }

    fn basket(&self) -> String {
        let Some((id, tins)) = &self.basket else { return "<h1>Basket</h1><p>It is empty.".to_owned() };
        let Some(tea) = TEAS.iter().find(|tea| tea.id == id) else {
            return "<h1>Basket</h1><p>It is empty.".to_owned();
        };
        format!(
            "<h1>Basket</h1><table><tr><th>Tea<th>Tins<th>Price<tr><td>{}<td>{tins}<td>{}</table>\
             <p><a href=/checkout>Go to checkout</a>",
            tea.name,
            euros(tea.cents * tins)
        )
    }
}

const HOME: &str = "<h1>Tea by the tin</h1><p>Six teas, roasted, smoked and steamed. Sent the next day.\
    <ul><li><a href='/search?q=green'>Green</a><li><a href='/search?q=black'>Black</a><li><a href='/search?q=oolong'>Oolong</a></ul>";

/// The frame of every page. The notice is dismissed by a listener on what is no button.
fn page(title: &str, body: &str) -> String {
    format!(
        "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{title} | Lathe &amp; Leaf</title>\
         <style>body{{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:56rem;padding:1rem;color:#22332b}}\
         header{{display:flex;gap:1rem;align-items:center;border-bottom:1px solid #ccd6cf}}table{{border-collapse:collapse}}\
         td,th{{padding:.3rem 1rem .3rem 0;text-align:left}}label{{display:block;margin:.5rem 0}}.error{{color:#a4160d}}\
         #notice{{position:fixed;inset:auto 0 0 0;background:#22332b;color:#fff;padding:1rem}}\
         #notice .choice{{display:inline-block;cursor:pointer;text-decoration:underline;margin-right:1rem}}\
         #notice.gone{{display:none}}</style>\
         <header><a href=/>Lathe &amp; Leaf</a><form action=/search role=search><input type=search name=q aria-label='Search teas'>\
         <button>Search</button></form><a href=/basket>Basket</a></header><main>{body}</main>\
         <div id=notice><p>We keep a note of your visit.<div class=choice id=all>Everything</div>\
         <div class=choice id=needed>Only what is needed</div></div>\
         <script>const notice=document.getElementById('notice');\
         if(sessionStorage.notice)notice.classList.add('gone');\
         for(const id of ['all','needed'])document.getElementById(id).addEventListener('click',()=>{{sessionStorage.notice=id;notice.classList.add('gone')}})\
         </script></html>"
    )
}

fn results(query: &BTreeMap<String, String>) -> String {
    let wanted = query.get("q").map(|text| text.to_lowercase()).unwrap_or_default();
    let sorted = query.get("sort").is_some_and(|sort| sort == "price");
    let mut found: Vec<&Tea> =
        TEAS.iter().filter(|tea| tea.kind.contains(&wanted) || tea.name.to_lowercase().contains(&wanted)).collect();
    if sorted {
        found.sort_by_key(|tea| tea.cents);
    }
    let mut body = format!(
        "<h1>{} teas for “{}”</h1><form action=/search><input type=hidden name=q value=\"{}\"><label>Sort by \
         <select name=sort onchange='this.form.submit()'><option value=name>Name<option value=price{}>Price, low to high</select>\
         </label></form><ul>",
        found.len(),
        escape(&wanted),
        escape(&wanted),
        if sorted { " selected" } else { "" }
    );
    for tea in found {
        let _ =
            write!(body, "<li><a href=/tea/{}>{}</a> <b>{}</b><br>{}", tea.id, tea.name, euros(tea.cents), tea.about);
    }
    body + "</ul>"
}

fn product(tea: &Tea) -> String {
    format!(
        "<h1>{}</h1><p>{} <b>{}</b> a tin of 100 g.<form method=post action=/basket><input type=hidden name=tea value={}>\
         <label>Tins <input type=number name=tins value=1 min=1 max=20></label><button>Add to basket</button></form>",
        tea.name,
        tea.about,
        euros(tea.cents),
        tea.id
    )
}

fn checkout(values: &BTreeMap<String, String>, faults: &[&str]) -> String {
    let mut body = String::from("<h1>Where to?</h1>");
    if !faults.is_empty() {
        let _ = write!(body, "<p role=alert class=error>{}</p>", faults.join(" "));
    }
    body.push_str("<form method=post action=/checkout novalidate>");
    for (name, label) in [("name", "Name"), ("street", "Street and number"), ("postcode", "Postcode"), ("town", "Town")]
    {
        let value = values.get(name).map(String::as_str).unwrap_or_default();
        let invalid = if name == "postcode" && !faults.is_empty() { " aria-invalid=true" } else { "" };
        let _ =
            write!(body, "<label>{label} <input name={name} required value=\"{}\"{invalid}></label>", escape(value));
    }
    body + "<button>Place order</button></form>"
}

fn is_postcode(text: &str) -> bool {
    let plain: Vec<char> = text.chars().filter(|character| !character.is_whitespace()).collect();
    plain.len() == 6
        && plain.iter().take(4).all(char::is_ascii_digit)
        && plain.iter().skip(4).all(char::is_ascii_alphabetic)
}

fn euros(cents: u32) -> String {
    format!("€ {}.{:02}", cents / 100, cents % 100)
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
