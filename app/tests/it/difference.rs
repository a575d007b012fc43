//! What is different between two texts, as it is shown.

use app::components::difference::{are_akin, beside_changes, compare};
use similar::ChangeTag;

#[test]
fn a_difference_is_told_word_by_word_and_loses_nothing() {
    let (mine, theirs) = ("Bring an apron and a towel.", "Bring an apron, a towel.");
    let pieces = compare(mine, theirs);
    let side = |skip: ChangeTag| -> String {
        pieces.iter().filter(|(tag, _)| *tag != skip).map(|(_, text)| text.as_str()).collect()
    };
    assert_eq!((side(ChangeTag::Insert).as_str(), side(ChangeTag::Delete).as_str()), (mine, theirs));
}

#[test]
fn of_what_is_the_same_only_the_lines_of_the_changes_are_shown() {
    let text = " tab\nwhen\n\nwhere\nwho\nhow much\nThe ";
    assert_eq!(beside_changes(text, true, true), Some((" tab", 4, "The ")));
    assert_eq!(beside_changes(text, false, true), Some(("", 5, "The ")));
    assert_eq!(beside_changes(text, true, false), Some((" tab", 5, "")));
    assert_eq!(beside_changes(text, false, false), None, "nothing has changed");
    assert_eq!(beside_changes(" a\nb\nc\n", true, true), None, "that is soon read");
    assert_eq!(beside_changes("one line", true, true), None);
}

#[test]
fn a_difference_between_texts_without_spaces_is_told_sign_by_sign() {
    let pieces = compare("请带围裙和毛巾。", "请带围裙和短指甲。");
    let changed: Vec<&str> =
        pieces.iter().filter(|(tag, _)| *tag != ChangeTag::Equal).map(|(_, text)| text.as_str()).collect();
    assert_eq!(changed, ["毛巾", "短指甲"]);
}

#[test]
fn texts_with_little_in_common_are_not_mixed() {
    let apron = "Bring an apron and a towel. Keep your nails short. Clay is here.";
    let akin = |mine, theirs| are_akin(&compare(mine, theirs));
    assert!(akin(apron, "Bring an apron and a towel. Keep your nails short. Clay and tools are here."));
    assert!(akin(apron, apron) && akin("", ""));
    assert!(!akin(apron, "It costs forty euros a day, and the kiln is fired on Saturdays."));
    assert!(!akin(apron, ""));
}
