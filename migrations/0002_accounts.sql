-- Who learners are, and who is signed in.

create table account (
    user_id         uuid        not null default gen_random_uuid(),
    name            text        not null,
    name_key        text        not null,
    passphrase_hash text        not null,
    created_at      timestamptz not null,
    constraint account_pk primary key (user_id),
    constraint account_name_key_unique unique (name_key),
    constraint account_name_fits check (char_length(name) between 1 and 64)
);
comment on table account is 'A person who may sign in.';
comment on column account.user_id is 'The name that everything else knows them by; it never changes.';
comment on column account.name is 'As they wrote it, without spaces around it.';
comment on column account.name_key is 'The name in lower case: two people may not differ by case alone.';
comment on column account.passphrase_hash is 'Argon2id in the PHC string format, with its own salt and parameters.';
comment on column account.created_at is 'When they signed up.';

create table session (
    token_hash text        not null,
    user_id    uuid        not null,
    opened_at  timestamptz not null,
    expires_at timestamptz not null,
    constraint session_pk primary key (token_hash),
    constraint session_user_fk foreign key (user_id) references account (user_id) on delete cascade,
    constraint session_has_a_life check (opened_at < expires_at)
);
create index session_by_expiry on session (expires_at);
comment on table session is 'Who is signed in on a device. There is no row for anybody who is not.';
comment on column session.token_hash is 'SHA-256 of the cookie in hex: a copy of this table signs nobody in.';
comment on column session.user_id is 'Whose session it is; fixed, since signing in always opens a new one.';
comment on column session.opened_at is 'When they signed in.';
comment on column session.expires_at is '30 days after the last day on which it was used.';
