//! Addresses that try to look allowed.

use super::*;

fn check(origins: &Origins, allowed: bool, addresses: &[&str]) {
    for address in addresses {
        assert_eq!(origins.allows(address), allowed, "{address}");
    }
}

#[test]
fn an_exact_origin_allows_itself_in_all_spellings_and_nothing_else() {
    let origins = Origins::new(["https://shop.example", "http://127.0.0.1:8000", "http://[::1]:9"]).expect("reads");
    check(
        &origins,
        true,
        &[
            "https://shop.example",
            "https://shop.example/",
            "https://shop.example/a?b#c",
            "HTTPS://SHOP.EXAMPLE/",
            "https://shop.example:443/",
            "https://shop.example./",
            "https:\\\\shop.example\\a",
            "https:/shop.example/",
            "https:shop.example",
            " https://shop.example/",
            "https://sh\top.example/",
            "https://shop.example\n/",
            "https://%73hop.example/",
            "https://ｓｈｏｐ.example/",
            "https://shop。example/",
            "https://shop.example/@evil.example",
            "https://shop.example?@evil.example",
            "https://shop.example#@evil.example",
            "https://shop.example\\@evil.example/",
            "http://127.0.0.1:8000/",
            "http://127.1:8000/",
            "http://2130706433:8000/",
            "http://0x7f000001:8000/",
            "http://0177.0.0.1:8000/",
            "http://0x7f.0.0.1:8000/",
            "http://127.0.0.1.:8000/",
            "http://１２７.0.0.1:8000/",
            "http://[::1]:9/",
            "http://[0:0:0:0:0:0:0:1]:9/",
            "about:blank",
            "about:srcdoc",
        ],
    );
    check(
        &origins,
        false,
        &[
            "",
            "shop.example",
            "//shop.example",
            "http://shop.example/",
            "https://shop.example:8443/",
            "https://shop.example:80/",
            "https://shop.example:444/",
            "ftp://shop.example/",
            "ws://shop.example/",
            "wss://shop.example/",
            "https://www.shop.example/",
            "https://shop.example.evil.example/",
            "https://shop.examplee/",
            "https://shop.exampl/",
            "https://evilshop.example/",
            "https://shop-example/",
            "https://shop.example../",
            "https://shop..example/",
            "https://.shop.example/",
            "https://shop.example@evil.example/",
            "https://shop.example:443@evil.example/",
            "https://shop.example%20@evil.example/",
            "https://shop.example%3A443@evil.example/",
            "https://shop.example%2F@evil.example/",
            "https://shop.example%00@evil.example/",
            "https://shop.example&@evil.example/",
            "https://user@shop.example/",
            "https://user:secret@shop.example/",
            "https://:secret@shop.example/",
            "https://evil.example/shop.example",
            "https://evil.example/https://shop.example/",
            "https://evil.example?https://shop.example/",
            "https://evil.example#https://shop.example/",
            "https://evil.example\\shop.example/",
            "https://evil.example\\@shop.example/",
            "https://evil.example;shop.example/",
            "https://evil.example\t/shop.example",
            "https://evil.example/../shop.example/",
            "https://shop.example%2Eevil.example/",
            "https://shop.example%252Eevil.example/",
            "https://shop.example。evil.example/",
            "https://shop．example．evil．example/",
            "https://xn--shp-fka.example/",
            "https://shöp.example/",
            "https://ѕhop.example/",
            "https://shop.еxample/",
            "https://sh\u{200d}op.example/",
            "https://shop.example\u{2044}evil.example/",
            "http://127.0.0.1/",
            "http://127.0.0.1:80/",
            "http://127.0.0.1:8001/",
            "https://127.0.0.1:8000/",
            "http://127.0.0.2:8000/",
            "http://localhost:8000/",
            "http://127.0.0.1.evil.example:8000/",
            "http://0.0.0.0:8000/",
            "http://[::ffff:127.0.0.1]:8000/",
            "http://[::127.0.0.1]:8000/",
            "http://[::]:9/",
            "http://[::1]/",
            "http://[::2]:9/",
            "http://169.254.169.254/",
            "http://[fd00:ec2::254]/",
            "http://2852039166/",
            "http://0xa9fea9fe/",
            "http://256.0.0.1:8000/",
            "http://127.0.0.1:8000@evil.example/",
            "data:text/html,https://shop.example/",
            "data:text/html;base64,aGk=",
            "blob:https://shop.example/0f-1",
            "filesystem:https://shop.example/temporary/a",
            "javascript:location='https://shop.example'",
            "javascript://shop.example/%0aalert(1)",
            "vbscript:x",
            "file:///etc/passwd",
            "file://shop.example/a",
            "view-source:https://shop.example/",
            "chrome://settings/",
            "chrome-extension://abcdefgh/x.html",
            "chrome-untrusted://x/",
            "devtools://devtools/bundled/inspector.html",
            "about:",
            "about:config",
            "about:blank#https://shop.example",
            "About:blank?x",
            "intent://shop.example#Intent;scheme=https;end",
            "mailto:a@shop.example",
            "tel:1",
            "jar:https://shop.example/!/a",
            "feed:https://shop.example/",
            "https://",
            "https:///",
            "https://?",
            "https://:443/",
            "https:// shop.example/",
            "https://shop example/",
            "https://shop<.example/",
            "https://[shop.example]/",
            "https://[::1/",
            "https://shop.example:99999/",
            "https://shop.example:port/",
        ],
    );
}

#[test]
fn a_wildcard_allows_a_domain_and_what_is_below_it() {
    let origins = Origins::new(["https://*.shop.example"]).expect("reads");
    check(&origins, true, &["https://shop.example/", "https://a.shop.example/", "https://a.b.shop.example./"]);
    check(
        &origins,
        false,
        &[
            "http://a.shop.example/",
            "https://a.shop.example:1/",
            "https://evilshop.example/",
            "https://shop.example.evil.example/",
            "https://example/",
            "https://*.shop.example@evil.example/",
        ],
    );
}

#[test]
fn rules_that_would_allow_too_much_or_nothing_are_refused() {
    for rule in [
        "",
        "*",
        "https://*",
        "https://*.example",
        "https://*.*",
        "shop.example",
        "https://shop.example/path",
        "https://shop.example?x",
        "https://user@shop.example",
        "file:///tmp",
        "https://*.127.0.0.1",
        "data:text/html,x",
    ] {
        assert!(Origins::new([rule]).is_err(), "{rule}");
    }
    assert!(!Origins::default().allows("https://shop.example/"));
}

#[test]
fn any_origin_is_none_of_files_scripts_or_the_browser_itself() {
    let origins = Origins::any();
    check(&origins, true, &["https://shop.example/a", "http://127.0.0.1:8000/", "about:blank"]);
    check(
        &origins,
        false,
        &[
            "file:///etc/passwd",
            "chrome://settings",
            "view-source:https://shop.example/",
            "javascript:alert(1)",
            "data:text/html,x",
            "blob:https://shop.example/1",
            "ftp://shop.example/",
            "https://shop.example@evil.example/",
        ],
    );
}
