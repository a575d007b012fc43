//! Short lists in their order.

/// Sorts a short list; what is equal stays as it was. The standard library's way is made for long lists,
/// and is more to download than the whole outbox.
pub fn put_in_order<T>(list: &mut [T], is_before: impl Fn(&T, &T) -> bool) {
    for end in 1..list.len() {
        let mut at = end;
        while at > 0 && is_before(&list[at], &list[at - 1]) {
            list.swap(at, at - 1);
            at -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::put_in_order;

    #[test]
    fn equal_ones_stay_in_their_order() {
        for (mut given, then) in [
            (vec![], vec![]),
            (vec![(1, 'a')], vec![(1, 'a')]),
            (
                vec![(2, 'a'), (1, 'a'), (2, 'b'), (1, 'b'), (0, 'a')],
                vec![(0, 'a'), (1, 'a'), (1, 'b'), (2, 'a'), (2, 'b')],
            ),
        ] {
            put_in_order(&mut given, |one, other| one.0 < other.0);
            assert_eq!(given, then);
        }
    }
}
