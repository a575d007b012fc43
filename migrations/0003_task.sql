-- Tasks, their log, and the ledger of operations. Every key leads with task_id.

create table task (
    task_id      uuid        not null,
    owner        uuid        not null,
    kind         text        not null,
    schema       integer     not null,
    record_id    text        not null,
    question     text        not null,
    title        text        not null,
    seq          bigint      not null,
    state        text        not null,
    phase        text        not null,
    data         jsonb       not null,
    step         text,
    active_step  text,
    step_op      uuid,
    step_mark    text,
    precheck_op  uuid,
    precheck_at  timestamptz,
    due_at       timestamptz,
    attempt      integer     not null default 0,
    lease_until  timestamptz,
    holder       uuid,
    created_at   timestamptz not null,
    updated_at   timestamptz not null,
    constraint task_pk primary key (task_id),
    constraint task_owner_fk foreign key (owner) references account (user_id),
    constraint task_seq_positive check (0 < seq),
    constraint task_attempt_positive check (0 <= attempt),
    constraint task_phase_known check
        (phase in ('pending', 'running', 'awaiting_human', 'failed', 'succeeded', 'cancelled')),
    constraint task_step_mark_known check (step_mark in ('intended', 'sent')),
    constraint task_step_is_whole check ((step is null) = (step_op is null)),
    constraint task_precheck_is_whole check ((precheck_op is null) = (precheck_at is null)),
    constraint task_lease_has_holder check ((lease_until is null) = (holder is null)),
    constraint task_finished_is_not_due check
        (phase not in ('succeeded', 'cancelled') or (due_at is null and lease_until is null))
);
comment on table task is 'The authoritative state of a task. It equals the replay of its log, lease, attempt and due time aside.';
comment on column task.owner is 'Who may read it and command it: nobody else.';
comment on column task.kind is 'Which state machine it runs.';
comment on column task.schema is 'Of data. A binary claims only what it knows.';
comment on column task.seq is 'The place of its newest event; every change raises it.';
comment on column task.data is 'The state as the kind''s own code keeps it.';
comment on column task.step is 'What is to be done outside next, if anything.';
comment on column task.active_step is 'What a holder is doing: the step, or the look at the source that comes before it.';
comment on column task.step_op is 'The operation of that step.';
comment on column task.step_mark is 'What a claim makes of that operation: a read is intended, a write is sent.';
comment on column task.precheck_op is 'The look at the source that comes before the step once precheck_at has passed.';
comment on column task.due_at is 'When a worker may take it; while it is held, the end of the lease.';
comment on column task.attempt is 'The fence. It only ever grows; a worker that speaks with an older one is not heard.';
comment on column task.lease_until is 'Until when the holder may work on it without a word.';
comment on column task.holder is 'The process that holds it.';

create index task_due on task (due_at) where due_at is not null;
create index task_of_owner on task (owner, created_at desc);

-- An attempt that shrank would let a frozen worker speak again.
create function task_fence_grows() returns trigger
    language plpgsql
    as $$
begin
    if new.attempt < old.attempt or new.seq < old.seq then
        raise exception 'attempt and seq of task % only grow', old.task_id
            using errcode = 'check_violation', constraint = 'task_fence_grows';
    end if;
    if old.phase in ('succeeded', 'cancelled') and new.state is distinct from old.state then
        raise exception 'task % has finished and never moves again', old.task_id
            using errcode = 'check_violation', constraint = 'task_finished_stays';
    end if;
    return new;
end
$$;
create trigger task_fence_grows before update on task
    for each row execute function task_fence_grows();

create table task_event (
    task_id uuid        not null,
    seq     bigint      not null,
    kind    text        not null,
    schema  integer     not null,
    at      timestamptz not null,
    attempt integer,
    op_id   uuid,
    details jsonb       not null,
    constraint task_event_pk primary key (task_id, seq),
    constraint task_event_task_fk foreign key (task_id) references task (task_id)
);
comment on table task_event is 'What happened, in order. Append-only: a trigger refuses changes.';
comment on column task_event.attempt is 'Which attempt of a worker spoke; null where a learner did.';
comment on column task_event.op_id is 'The learner''s operation, or the effect''s.';

create function append_only() returns trigger
    language plpgsql
    as $$
begin
    raise exception '% is append-only', tg_table_name
        using errcode = 'check_violation', constraint = tg_table_name || '_append_only';
end
$$;
create trigger task_event_append_only before update or delete or truncate on task_event
    for each statement execute function append_only();

create table operation (
    task_id     uuid        not null,
    op_id       uuid        not null,
    owner       uuid        not null,
    kind        text        not null,
    fingerprint text        not null,
    state       text        not null,
    result      jsonb,
    intended_at timestamptz not null,
    sent_at     timestamptz,
    finished_at timestamptz,
    constraint operation_pk primary key (task_id, op_id),
    constraint operation_state_known check (state in ('intended', 'sent', 'done', 'failed', 'unknown')),
    constraint operation_finished_has_time check
        ((state in ('done', 'failed')) = (finished_at is not null))
);
comment on table operation is 'The ledger: a learner''s commands with their answers, and effects from intended to known. Not tied to a task row, since a refused start leaves none.';
comment on column operation.fingerprint is 'The request as one hash: the same ID with another one is refused.';
comment on column operation.result is 'A command''s recorded answer; a withdrawal''s reason until it has ended.';
