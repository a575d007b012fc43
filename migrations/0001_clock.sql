-- All time in rules comes from here, never from a process.

create table clock (
    one_row boolean not null default true,
    shift interval not null default interval '0',
    constraint clock_pk primary key (one_row),
    constraint clock_one_row check (one_row)
);
comment on table clock is 'One row: how far the clock of the rules is shifted. Only tests shift it.';
insert into clock default values;

-- Volatile and from clock_timestamp(): now() stands still in a transaction that waits for a lock.
create function mooring_now() returns timestamptz
    language sql volatile
    as $$ select clock_timestamp() + shift from clock $$;
comment on function mooring_now is 'The time that leases, budgets and expiries are judged by.';
