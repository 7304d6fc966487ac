-- What the newest run of a task did, kept after its job row is purged.
alter table last_runs add column progress jsonb, add column error text;
