-- Whether a process is alive shows by a session lock that Postgres releases with its connection.

alter table process
    add column lock_key integer generated always as identity,
    add column locks boolean not null default false;
comment on column process.lock_key is 'The second key of its session lock; the first is the application''s.';
comment on column process.locks is 'It holds that lock. One that never could is not taken for dead; its leases run out.';
