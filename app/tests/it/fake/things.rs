//! Things to try with: learners, tasks, times.

use domain::{
    approval::Action,
    explanation::StateName,
    id::{OpId, RecordId, SourceVersion, TaskId, UserId},
    intent::{Done, Intent, Wish},
    operation::OpReceipt,
    record::Evidence,
    snapshot::{Author, Draft, OpenProposal, Snapshot, Who},
    task::{Kind, SCHEMA},
    text::Hash,
    time::Timestamp,
};
use uuid::Uuid;

pub fn ada() -> Who {
    Who { user_id: UserId(Uuid::from_u128(0xada)), name: "Ada".to_owned() }
}

pub fn bea() -> Who {
    Who { user_id: UserId(Uuid::from_u128(0xbea)), name: "Bea".to_owned() }
}

pub fn the_task() -> TaskId {
    TaskId(Uuid::from_u128(0x7a5))
}

/// Noon on some day, and seconds after it.
pub fn noon(seconds: i64) -> Timestamp {
    Timestamp::from_unix_millis((1_764_417_600 + seconds) * 1_000).unwrap()
}

/// A task in review at version 1; the others vary it.
pub fn task_at(seq: u64) -> Snapshot {
    let version = SourceVersion("7".to_owned());
    let content = r#"{"when":"Sat 12 Dec","bring":["An apron","A towel"],"fee":25}"#.to_owned();
    let mut task = Snapshot {
        schema: SCHEMA,
        task_id: the_task(),
        kind: Kind::Explanation,
        record_id: RecordId::parse("wheel-throwing").unwrap(),
        title: "Wheel throwing for beginners".to_owned(),
        question: "What should I bring?".to_owned(),
        seq,
        state: StateName::AwaitingReview,
        phase: StateName::AwaitingReview.phase(),
        active: None,
        next_try_at: None,
        problem: None,
        notice: None,
        evidence: vec![Evidence {
            source: "fixture".to_owned(),
            adapter: "fixture".to_owned(),
            source_version: version.clone(),
            content_hash: Hash::of(&content),
            content,
            observed_at: noon(0),
        }],
        drafts: Vec::new(),
        draft_version: None,
        proposal: None,
        outcome: None,
        under_way: None,
        accepted_at: None,
        looked_at: None,
        created_at: noon(0),
        updated_at: noon(0),
        server_time: noon(i64::try_from(seq).unwrap()),
    };
    add_version(&mut task, Author::Model, "Bring an apron.");
    task
}

/// Makes a text the current version.
pub fn add_version(task: &mut Snapshot, author: Author, text: &str) {
    let version = task.draft_version.map_or(1, |v| v + 1);
    let source_version = SourceVersion("7".to_owned());
    task.drafts.push(Draft {
        version,
        author,
        produced_by: if author == Author::Model { "rules" } else { "learner" }.to_owned(),
        simulated: author == Author::Model,
        usage: None,
        hash: Hash::of(text),
        on_source_version: source_version.clone(),
        created_at: noon(0),
        text: Some(text.to_owned()),
    });
    task.draft_version = Some(version);
    task.proposal = Some(OpenProposal {
        draft_version: version,
        draft_hash: Hash::of(text),
        source_version,
        action: Action::SaveToLibrary,
        expires_at: noon(1_000_000),
    });
}

pub fn in_state(mut task: Snapshot, state: StateName) -> Snapshot {
    task.state = state;
    task.phase = state.phase();
    if state != StateName::AwaitingReview {
        task.proposal = None;
    }
    task
}

pub fn accept(version: u32, text: &str) -> Wish {
    Wish::Accept {
        draft_version: version,
        draft_hash: Hash::of(text),
        seen_source_version: SourceVersion("7".to_owned()),
    }
}

pub fn done(intent: &Intent, mut task: Snapshot) -> Done {
    task.task_id = intent.task_id;
    let op =
        OpReceipt { op_id: intent.op_id, code: "done".to_owned(), draft_version: task.draft_version, seq: task.seq };
    Done { op, task }
}

pub fn ops(entries: &[domain::outbox::Entry]) -> Vec<OpId> {
    entries.iter().map(|e| e.intent.op_id).collect()
}
