-- Whole-catalog work may take hours: the reaper's age rule leaves it alone. Set from the task when the job is added.
alter table jobs add column age_exempt boolean not null default false;
