-- The learner's library. It may live in a database of its own, so nothing here names another table.

create schema if not exists library;

create table library.decision (
    task_id    uuid        not null,
    op_id      uuid        not null,
    outcome    text        not null,
    decided_at timestamptz not null default clock_timestamp(),
    constraint decision_pk primary key (task_id, op_id),
    constraint decision_outcome_known check (outcome in ('saved', 'withdrawn'))
);
comment on table library.decision is 'One row an operation: save and withdraw race for it, and the first commit wins.';

create table library.entry (
    entry_id      uuid        not null default gen_random_uuid(),
    task_id       uuid        not null,
    op_id         uuid        not null,
    owner         uuid        not null,
    draft_version integer     not null,
    hash          text        not null,
    title         text        not null,
    text          text        not null,
    saved_at      timestamptz not null default clock_timestamp(),
    constraint entry_pk primary key (task_id),
    constraint entry_id_unique unique (entry_id),
    constraint entry_decision_fk foreign key (task_id, op_id) references library.decision (task_id, op_id),
    constraint entry_hash_is_of_text check (hash = encode(sha256(convert_to(text, 'UTF8')), 'hex'))
);
comment on table library.entry is 'Saved explanations: at most one a task.';
create index entry_of_owner on library.entry (owner, saved_at desc);
