//! How much of the past the model sees, as data.

/// A strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct History {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    /// How many snapshots are shown, the current one among them.
    pub(super) snapshots: usize,
    /// Whether a picture of every turn is shown.
    pub(super) pictures: bool,
    /// How many turns are told at most.
    pub(super) turns: usize,
}

/// The strategies; the first is the default. What was done is always told, and of pages that are
/// not shown any more what changed on them.
pub const HISTORIES: &[History] = &[
    History {
        name: "current",
        summary: "what was done, and the current snapshot",
        snapshots: 1,
        pictures: false,
        turns: usize::MAX,
    },
    History {
        name: "last-two",
        summary: "what was done, and the last two snapshots",
        snapshots: 2,
        pictures: false,
        turns: usize::MAX,
    },
    History {
        name: "full",
        summary: "what was done, and every snapshot",
        snapshots: usize::MAX,
        pictures: false,
        turns: usize::MAX,
    },
    History {
        name: "pictures",
        summary: "what was done, the last two snapshots, and a screenshot of every turn",
        snapshots: 2,
        pictures: true,
        turns: usize::MAX,
    },
];

/// Finds a strategy by its name.
///
/// # Errors
/// Names those that there are.
pub fn find(name: &str) -> Result<History, String> {
    HISTORIES.iter().find(|history| history.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = HISTORIES.iter().map(|history| history.name).collect();
        format!("there is no history {name:?}; there are {}", names.join(", "))
    })
}

impl History {
    /// The same with at most so many turns told.
    #[must_use]
    pub fn with_turns(mut self, turns: usize) -> Self {
        self.turns = turns.max(1);
        self
    }

    /// Whether the model is to see a picture of every turn.
    pub fn wants_pictures(&self) -> bool {
        self.pictures
    }
}
