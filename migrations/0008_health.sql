-- What an operator asks for at each scrape is found without a walk over what has ended.

create index task_needs_checking on task (task_id) where state = 'needs_checking';
comment on index task_needs_checking is 'What waits for a person to find out.';

-- So that who looks at what is due finds every lease that has run out.
alter table task add constraint task_held_is_due check (lease_until is null or due_at is not null);
