//! Before something that cannot be taken back: the question, and its two answers.

/// A question and what may be answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Question {
    pub words: &'static str,
    pub yes: &'static str,
    pub no: &'static str,
}

pub const CANCEL: Question = Question {
    words: "Cancel this task for good? What was found and written stays here to be read. Nothing is saved to your \
            library.",
    yes: "Yes, cancel it",
    no: "Keep the task",
};

/// What was typed over a version, in its field.
pub const CHANGES: Question = Question {
    words: "Discard what you typed? The version that you began with stays.",
    yes: "Yes, discard it",
    no: "Keep typing",
};

/// A text that is nowhere but here.
pub const TEXT: Question = Question {
    words: "This text is nowhere else. Discard it for good?",
    yes: super::labels::DISCARD_FOR_GOOD,
    no: super::labels::KEEP_IT,
};

/// The end of a task whose outcome was uncertain.
pub const STOP: Question =
    Question { words: "End this task for good, without saving it?", yes: "Yes, stop here", no: "Not yet" };
