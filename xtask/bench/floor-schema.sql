-- The two tables of the floor: what a task is, and what was saved.
create table saved(op_id text primary key, draft_version int not null, body text not null, saved_at timestamptz not null default now());
create table task(op_id text primary key, payload text not null, status text not null default 'new', lookup jsonb, draft text, draft_version int, accepted int);
-- For the rate of single-row commits.
create table line(n bigint generated always as identity primary key, payload text not null);
