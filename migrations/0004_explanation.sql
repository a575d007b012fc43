-- What an explanation gathers: evidence, drafts, proposals. Texts live here, the log names them.

create table evidence (
    task_id        uuid        not null,
    n              integer     not null,
    source         text        not null,
    adapter        text        not null,
    source_version text        not null,
    content        text        not null,
    content_hash   text        not null,
    observed_at    timestamptz not null,
    constraint evidence_pk primary key (task_id, n),
    constraint evidence_task_fk foreign key (task_id) references task (task_id),
    constraint evidence_hash_is_of_content check
        (content_hash = encode(sha256(convert_to(content, 'UTF8')), 'hex')),
    constraint evidence_content_bounded check (octet_length(content) <= 64000)
);
comment on table evidence is 'What was seen at the source. Later looks add rows and change none.';
comment on column evidence.observed_at is 'When it was seen, by the database''s clock.';

create table draft (
    task_id           uuid        not null,
    version           integer     not null,
    author            text        not null,
    produced_by       text        not null,
    simulated         boolean     not null,
    hash              text        not null,
    on_source_version text        not null,
    text              text        not null,
    created_at        timestamptz not null,
    constraint draft_pk primary key (task_id, version),
    constraint draft_task_fk foreign key (task_id) references task (task_id),
    constraint draft_author_known check (author in ('model', 'learner')),
    constraint draft_hash_is_of_text check (hash = encode(sha256(convert_to(text, 'UTF8')), 'hex')),
    constraint draft_text_bounded check (octet_length(text) between 1 and 20000)
);
comment on table draft is 'Every version, byte for byte as it was written.';

create table proposal (
    task_id        uuid        not null,
    seq            bigint      not null,
    action         text        not null,
    target         text        not null,
    draft_version  integer     not null,
    draft_hash     text        not null,
    source_version text        not null,
    requester      uuid        not null,
    expires_at     timestamptz not null,
    ended_at       timestamptz,
    ended_by       text,
    constraint proposal_pk primary key (task_id, seq),
    constraint proposal_task_fk foreign key (task_id) references task (task_id),
    constraint proposal_draft_fk foreign key (task_id, draft_version) references draft (task_id, version),
    constraint proposal_end_is_whole check ((ended_at is null) = (ended_by is null))
);
comment on table proposal is 'What a learner may say yes to. Used once: accepted, withdrawn or replaced.';
comment on column proposal.seq is 'The event that proposed it.';
create unique index proposal_one_live on proposal (task_id) where ended_at is null;
comment on index proposal_one_live is 'At most one proposal of a task can be accepted.';

create trigger evidence_append_only before update or delete or truncate on evidence
    for each statement execute function append_only();
create trigger draft_append_only before update or delete or truncate on draft
    for each statement execute function append_only();
