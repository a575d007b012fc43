//! Before something that cannot be taken back: the question, and its two answers.

use super::said::Said;

/// A question and what may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub words: Said,
    pub yes: Said,
    pub no: Said,
}

pub const CANCEL: Question = Question {
    words: Said(
        "Cancel this task for good? What was found and written stays here to be read. Nothing is saved to your library.",
    ),
    yes: Said("Yes, cancel it"),
    no: Said("Keep the task"),
};

/// What was typed over a version, in its field.
pub const CHANGES: Question = Question {
    words: Said("Discard what you typed? The version that you began with stays."),
    yes: Said("Yes, discard it"),
    no: Said("Keep typing"),
};

/// A text that is nowhere but here.
pub const TEXT: Question = Question {
    words: Said("This text is nowhere else. Discard it for good?"),
    yes: super::labels::DISCARD_FOR_GOOD,
    no: super::labels::KEEP_IT,
};

/// A change with a text that waits to be sent.
pub const BUILT_ON: Question = Question {
    words: Said("Discard this change for good? What builds on it is then not sent either."),
    yes: super::labels::DISCARD_FOR_GOOD,
    no: super::labels::KEEP_IT,
};

/// The end of a task whose outcome was uncertain.
pub const STOP: Question = Question {
    words: Said("End this task for good, without saving it?"),
    yes: Said("Yes, stop here"),
    no: Said("Not yet"),
};
