//! One document for everybody.

use app::shell::{Language, ShellAssets, shell};

use crate::languages::catalogue;

fn document() -> String {
    shell(&ShellAssets {
        stylesheet: "/assets/a.css".to_owned(),
        boot: "/assets/boot.js".to_owned(),
        manifest: "/assets/m.webmanifest".to_owned(),
        icon: "/assets/i.svg".to_owned(),
        js: "/assets/m.js".to_owned(),
        wasm: "/assets/m.wasm".to_owned(),
        touch_icon: "/assets/i.png".to_owned(),
        build: "0a1b2c3d".to_owned(),
        languages: vec![Language { catalogue: catalogue("zh-Hans"), address: "/assets/zh.txt".to_owned() }],
        worker: Some("/sw.js".to_owned()),
    })
}

#[test]
fn it_says_status_unknown_from_the_first_byte() {
    let html = document();
    assert!(html.starts_with("<!DOCTYPE html><html lang=\"en\" data-build=\"0a1b2c3d\">"), "{}", &html[..60]);
    assert!(html.contains("Status unknown"));
    assert!(html.contains("data-state=\"none\"") && html.contains("data-freshness=\"unknown\""));
    let (page, other) = html.split_once("<template").unwrap();
    assert_eq!((page.matches("role=\"status\"").count(), other.matches("role=\"status\"").count()), (1, 1));
}

#[test]
fn it_holds_no_inline_script_and_no_inline_style() {
    let html = document();
    assert_eq!(html.matches("<script").count(), 1);
    assert!(html.contains("<script type=\"module\" src=\"/assets/boot.js\""), "{html}");
    assert!(html.contains("></script>"));
    for inline in [" style=", "<style", " onclick=", "javascript:"] {
        assert!(!html.contains(inline), "{inline}");
    }
}

#[test]
fn the_announcer_lies_outside_of_the_root() {
    let html = document();
    let (announcer, root) = (html.find("id=\"announcer\"").unwrap(), html.find("id=\"root\"").unwrap());
    assert!(announcer < root);
    assert!(html[announcer..root].contains("</div>"), "it is closed before the root begins");
    assert!(html.contains("data-mooring-shell"));
}

#[test]
fn the_boot_script_says_what_the_shell_hands_to_it() {
    let (html, script) = (document(), include_str!("../../../frontend/assets/boot.js"));
    for name in ["loading", "loaded", "failed", "lost", "gone", "broken", "again"] {
        assert_eq!(html.matches(&format!(" data-{name}=\"")).count(), 2, "{name}: once in each language");
        assert!(script.contains(&format!("words.{name}")) || script.contains(&format!("\"{name}\"")), "{name}");
    }
    assert!(!script.contains("Mooring could"), "words live in one place");
}

#[test]
fn it_has_itself_in_another_language_beside_it() {
    let html = document();
    let (page, other) = html.split_once("<template lang=\"zh-Hans\" data-words=\"/assets/zh.txt\"").unwrap();
    assert!(page.contains("Status unknown") && !page.contains("状态未知"));
    assert!(other.contains("状态未知") && !other.contains("Status unknown"), "{other}");
    assert!(other.contains("data-unspoken=\"中文没能载入"), "{other}");
}

#[test]
fn it_names_both_halves_of_the_program_and_is_always_the_same() {
    let html = document();
    assert!(html.contains("data-js=\"/assets/m.js\"") && html.contains("data-wasm=\"/assets/m.wasm\""));
    assert_eq!(html, document());
}
