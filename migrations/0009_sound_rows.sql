-- What a row of `task` and of `operation` must keep to. As check constraints, these were read and
-- prepared anew for every statement, and cost more than the rest of an update; in a function they
-- are prepared once a connection. The names stay, so that a refusal says the same.

create or replace function task_fence_grows() returns trigger
    language plpgsql
    as $$
declare
    broken text;
begin
    broken := case
        when new.seq <= 0 then 'task_seq_positive'
        when new.attempt < 0 then 'task_attempt_positive'
        when new.phase not in ('pending', 'running', 'awaiting_human', 'failed', 'succeeded', 'cancelled')
            then 'task_phase_known'
        when new.step_mark not in ('intended', 'sent') then 'task_step_mark_known'
        when (new.step is null) <> (new.step_op is null) then 'task_step_is_whole'
        when (new.precheck_op is null) <> (new.precheck_at is null) then 'task_precheck_is_whole'
        when (new.lease_until is null) <> (new.holder is null) then 'task_lease_has_holder'
        when new.phase in ('succeeded', 'cancelled') and (new.due_at is not null or new.lease_until is not null)
            then 'task_finished_is_not_due'
        when new.lease_until is not null and new.due_at is null then 'task_held_is_due'
        when tg_op = 'UPDATE' and (new.attempt < old.attempt or new.seq < old.seq) then 'task_fence_grows'
        when tg_op = 'UPDATE' and old.phase in ('succeeded', 'cancelled') and new.state is distinct from old.state
            then 'task_finished_stays'
    end;
    if broken is not null then
        raise exception 'task % would break %', new.task_id, broken
            using errcode = 'check_violation', constraint = broken;
    end if;
    return new;
end
$$;
drop trigger task_fence_grows on task;
create trigger task_is_sound before insert or update on task
    for each row execute function task_fence_grows();
alter function task_fence_grows rename to task_is_sound;

alter table task
    drop constraint task_seq_positive,
    drop constraint task_attempt_positive,
    drop constraint task_phase_known,
    drop constraint task_step_mark_known,
    drop constraint task_step_is_whole,
    drop constraint task_precheck_is_whole,
    drop constraint task_lease_has_holder,
    drop constraint task_finished_is_not_due,
    drop constraint task_held_is_due;

create function operation_is_sound() returns trigger
    language plpgsql
    as $$
declare
    broken text;
begin
    broken := case
        when new.state not in ('intended', 'sent', 'done', 'failed', 'unknown') then 'operation_state_known'
        when (new.state in ('done', 'failed')) <> (new.finished_at is not null) then 'operation_finished_has_time'
    end;
    if broken is not null then
        raise exception 'operation % of task % would break %', new.op_id, new.task_id, broken
            using errcode = 'check_violation', constraint = broken;
    end if;
    return new;
end
$$;
create trigger operation_is_sound before insert or update on operation
    for each row execute function operation_is_sound();
alter table operation
    drop constraint operation_state_known,
    drop constraint operation_finished_has_time;
