//! What is broken on purpose, one safeguard at a time, and which tests are likely to notice.
//!
//! The texts to be replaced are as short as they can be and still be found exactly once. Where a rule
//! is kept in two places, both are broken: either alone would do, which is as it should be.

/// A copy of Mooring that lacks one safeguard.
pub struct Variant {
    pub name: &'static str,
    pub breaks: &'static str,
    pub edits: &'static [Edit],
    /// Filters of tests that are tried first; if they notice nothing, all are run.
    pub likely: &'static [&'static str],
}

/// `find` stands in `file` exactly once.
pub struct Edit {
    pub file: &'static str,
    pub find: &'static str,
    pub put: &'static str,
}

const CHANGE: &str = "server/src/store/change.rs";
const CLAIM: &str = "server/src/store/claim.rs";
const COMMAND: &str = "server/src/backend/command.rs";
const DECIDE: &str = "app/domain/src/explanation/decide.rs";
const WITHDRAW: &str = "app/domain/src/explanation/withdraw.rs";
const LIBRARY: &str = "server/src/library/postgres.rs";
const TASK_TABLE: &str = "migrations/0003_task.sql";
const SOUND_ROWS: &str = "migrations/0009_sound_rows.sql";

pub const ALL: &[Variant] = &[
    Variant {
        name: "fence",
        breaks: "a worker is heard with an old attempt",
        edits: &[
            Edit { file: CHANGE, find: "and ($3::int is null or attempt = $3)", put: "" },
            Edit {
                file: "server/src/store/explanation/head.rs",
                find: "Some(head) if head.attempt == claim.fence =>",
                put: "Some(head) =>",
            },
            Edit {
                file: "server/src/store/explanation/head.rs",
                find: "from task where task_id = $1 and attempt = $2",
                put: "from task where task_id = $1 and $2::int is not null",
            },
            Edit {
                file: "server/src/store/explanation/texts.rs",
                find: "where t.task_id = $1 and t.attempt = $3",
                put: "where t.task_id = $1 and $3::int is not null",
            },
        ],
        likely: &["fence::", "claim::"],
    },
    Variant {
        name: "claim-lease",
        breaks: "a task is taken from a holder whose lease still runs",
        edits: &[Edit {
            file: CLAIM,
            find: "t.due_at <= (select at from clock_now) and",
            put: "t.due_at is not null and",
        }],
        likely: &["claim::"],
    },
    Variant {
        name: "claim-lock",
        breaks: "two workers that ask at once take the same task",
        edits: &[Edit { file: CLAIM, find: "for update of t skip locked", put: "" }],
        likely: &["claim::", "orphans::", "pause::", "herd::"],
    },
    Variant {
        name: "ledger-command",
        breaks: "a repeated command is not looked up in the ledger",
        edits: &[Edit {
            file: COMMAND,
            find: "if let Some(recorded) = &loaded.recorded {",
            put: "if let Some(recorded) = loaded.recorded.as_ref().filter(|_| false) {",
        }],
        // The others of that file repeat until they are answered, and would go on for ever.
        likely: &["ledger::fifty_starts_with_one", "ledger::another_record", "ledger::a_refusal_is_recorded"],
    },
    Variant {
        name: "ledger-save",
        breaks: "a save that may have happened is not looked up before it is repeated",
        edits: &[Edit {
            file: "server/src/worker/explanation/save.rs",
            find: "if step.may_have_happened {",
            put: "if false && step.may_have_happened {",
        }],
        likely: &["crash::"],
    },
    Variant {
        name: "ledger-fingerprint",
        breaks: "another request under a known operation gets the old answer",
        edits: &[Edit {
            file: COMMAND,
            find: "if recorded.fingerprint != *fingerprint {",
            put: "if false && recorded.fingerprint != *fingerprint {",
        }],
        likely: &["ledger::"],
    },
    Variant {
        name: "hash-accept",
        breaks: "an accept does not compare the hash of what was read",
        edits: &[Edit { file: DECIDE, find: "if *hash != current.hash {", put: "if false && *hash != current.hash {" }],
        likely: &["lifecycle::", "review::"],
    },
    Variant {
        name: "hash-save",
        breaks: "what is saved is not compared with what was accepted",
        edits: &[Edit {
            file: WITHDRAW,
            find: "if stored_hash != Some(&acceptance.proposal.draft_hash) {",
            put: "if false && stored_hash != Some(&acceptance.proposal.draft_hash) {",
        }],
        likely: &["lifecycle::", "door::"],
    },
    Variant {
        name: "accept-version",
        breaks: "an accept or an edit of an older version is taken for the current one",
        edits: &[Edit {
            file: DECIDE,
            find: "if version == current.version {",
            put: "if version <= current.version {",
        }],
        likely: &["lifecycle::", "review::"],
    },
    Variant {
        name: "accept-expiry",
        breaks: "an expired proposal is accepted",
        edits: &[Edit {
            file: DECIDE,
            find: "if proposal.expires_at <= now {",
            put: "if false && proposal.expires_at <= now {",
        }],
        likely: &["lifecycle::", "review::"],
    },
    Variant {
        name: "library-key",
        breaks: "a save goes through although its operation was decided otherwise",
        edits: &[Edit {
            file: LIBRARY,
            find: "'saved')\n                on conflict (task_id, op_id) do nothing",
            put: "'saved')\n                on conflict (task_id, op_id) do update set outcome = 'saved'",
        }],
        likely: &["library::", "cancel::"],
    },
    Variant {
        name: "library-twice",
        breaks: "a repeated save makes a second entry",
        edits: &[
            Edit {
                file: LIBRARY,
                find: "'saved')\n                on conflict (task_id, op_id) do nothing",
                put: "'saved')\n                on conflict (task_id, op_id) do update set outcome = 'saved'",
            },
            Edit {
                file: "migrations/library/1001_library.sql",
                find: "constraint entry_pk primary key (task_id),",
                put: "",
            },
        ],
        likely: &["library::", "cancel::"],
    },
    Variant {
        name: "cancel-withdrawal",
        breaks: "a cancel does not withdraw the save that is under way",
        edits: &[Edit { file: WITHDRAW, find: "return Ok(first(save, Reason::Cancel));", put: "let _ = save;" }],
        likely: &["lifecycle::", "cancel::"],
    },
    Variant {
        name: "log-append-only",
        breaks: "the log can be changed",
        edits: &[Edit {
            file: TASK_TABLE,
            find: "before update or delete or truncate on task_event",
            put: "before truncate on task_event",
        }],
        likely: &["schema::"],
    },
    Variant {
        name: "finished-stays",
        breaks: "the database lets a finished task move again",
        edits: &[Edit {
            file: SOUND_ROWS,
            find: "and old.phase in ('succeeded', 'cancelled') and new.state",
            put: "and false and new.state",
        }],
        likely: &["schema::"],
    },
    Variant {
        name: "attempt-grows",
        breaks: "the database lets an attempt shrink",
        edits: &[Edit { file: SOUND_ROWS, find: "(new.attempt < old.attempt or new.seq < old.seq)", put: "false" }],
        likely: &["schema::"],
    },
    Variant {
        name: "owner",
        breaks: "a command reaches somebody else's task",
        edits: &[Edit {
            file: COMMAND,
            find: "loaded.owner.is_some_and(|of| of != owner)",
            put: "loaded.owner.is_some_and(|of| of != owner && false)",
        }],
        likely: &["ledger::"],
    },
    Variant {
        name: "as-user",
        breaks: "what was written as somebody else is stored",
        edits: &[Edit {
            file: "app/src/api/actor.rs",
            find: "Some(user) if user != who.user_id =>",
            put: "Some(user) if false && user != who.user_id =>",
        }],
        likely: &["web::"],
    },
];
