-- Which processes are there: NOTIFY goes out only while there is another.

create table process (
    process_id uuid        not null,
    name       text        not null,
    works      boolean     not null,
    started_at timestamptz not null,
    seen_at    timestamptz not null,
    constraint process_pk primary key (process_id)
);
comment on table process is 'Processes that have said a word lately. A hint: no rule rests on it.';

create table fault_count (
    boundary text   not null,
    reached  bigint not null,
    constraint fault_count_pk primary key (boundary)
);
comment on table fault_count is 'Lab only: how often a named boundary was reached, over all processes and restarts.';

create table record_list (
    one_row  boolean     not null default true,
    records  jsonb       not null,
    complete boolean     not null,
    seen_at  timestamptz not null,
    constraint record_list_pk primary key (one_row),
    constraint record_list_one_row check (one_row)
);
comment on table record_list is 'The records on offer as a worker last saw them, for processes without one.';
