-- The clock is read in every statement: in this language its own query is planned once a connection.

create or replace function mooring_now() returns timestamptz
    language plpgsql volatile
    as $$
begin
    return clock_timestamp() + (select shift from clock);
end
$$;

-- The question whether a learner has asked the same before looks at what is not finished alone.
create index task_open_of_owner on task (owner, record_id, created_at desc) where phase not in ('succeeded', 'cancelled');
comment on index task_open_of_owner is 'What a learner has open, by record.';
