//! What questions are about: the words that people use, and the fields that answer them.

/// One thing that people ask about workshops.
pub struct Topic {
    /// As in "the record says nothing about …".
    pub name: &'static str,
    /// What stands before the quoted value.
    label: &'static str,
    /// Names that sources give to such a field.
    fields: &'static str,
    /// Words of a question; `cancel*` stands for every word that begins so.
    words: &'static str,
}

/// In no order that matters: quotes follow the order of the record's fields.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "what to bring or wear",
        label: "What to bring",
        fields: "bring what_to_bring materials equipment wear clothing",
        words: "bring* take pack wear* cloth* dress* apron* shoes boots glove* tool* material* equipment need \
                needed provided",
    },
    Topic {
        name: "cancelling and refunds",
        label: "Cancelling",
        fields: "refund refunds refund_rules cancelling cancellation cancellation_policy",
        words: "cancel* refund* money ill sick miss postpone* rebook* change reschedule*",
    },
    Topic {
        name: "the price",
        label: "Price",
        fields: "price cost fee fees prices",
        words: "pric* cost* pay* fee fees euro* expensive cheap* much included",
    },
    Topic {
        name: "when it takes place",
        label: "When",
        fields: "when date dates time times schedule start duration",
        words: "when time* date* day days hour* start starts begin begins end ends long late early finish* \
                schedule* break* weekend",
    },
    Topic {
        name: "where it takes place",
        label: "Where",
        fields: "where place location address venue",
        words: "where place address location venue find room there directions travel*",
    },
    Topic {
        name: "what you must know or have done before",
        label: "Before you come",
        fields: "prerequisites prerequisite requirements level experience age",
        words: "prerequisite* require* experience* beginner* begin* new skill* level know learn* before old age \
                aged child* kid* need never",
    },
    Topic {
        name: "access",
        label: "Access",
        fields: "access accessibility",
        words: "access* wheelchair* step* stairs lift elevator disab* ramp toilet* deaf hear* blind walk* sit \
                stand* crutch* pregnant asthma",
    },
    Topic {
        name: "who teaches",
        label: "Taught by",
        fields: "teacher teachers instructor instructors tutor",
        words: "who teach* instructor* tutor* runs",
    },
    Topic {
        name: "the size of the group",
        label: "Group",
        fields: "group_size group places capacity",
        words: "group* people many others crowd* size places participants",
    },
];

impl Topic {
    /// Whether a question of these words is about it.
    pub fn is_in(&self, question: &[String]) -> bool {
        question.iter().any(|word| {
            self.words.split(' ').any(|pattern| match pattern.strip_suffix('*') {
                Some(start) => word.starts_with(start),
                None => word == pattern,
            })
        })
    }

    /// Whether a field of this name is about it.
    pub fn answers(&self, field: &str) -> bool {
        self.fields.split(' ').any(|name| name.eq_ignore_ascii_case(field))
    }
}

/// The topic that a field is about, if it is a known one.
pub fn topic_of_field(field: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.answers(field))
}

/// What stands before a field's value.
pub fn label(field: &str) -> String {
    if let Some(topic) = topic_of_field(field) {
        return topic.label.to_owned();
    }
    let spaced = field.replace(['_', '-'], " ");
    let mut letters = spaced.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// The words of a text, in small letters.
pub fn words_of(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase).collect()
}
