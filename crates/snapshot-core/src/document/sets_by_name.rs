//! What a part of the library asks of known names, looked up in one step.

/// The table of the sets that each known name is in, by the name's number: those in `$of_all`, and
/// those of `$sets`, a list of pairs of sets and names. Sets are joined by their `with`.
macro_rules! sets_by_name {
    ($of_all:expr, $sets:expr) => {{
        let mut table = [$of_all; $crate::document::Name::KNOWN_COUNT];
        let mut set = 0;
        while set < $sets.len() {
            let (kinds, names) = $sets[set];
            let mut member = 0;
            while member < names.len() {
                let number = names[member].number() as usize;
                table[number] = table[number].with(kinds);
                member += 1;
            }
            set += 1;
        }
        table
    }};
}

pub(crate) use sets_by_name;
