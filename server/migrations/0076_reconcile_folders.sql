-- Checking the foreign key of each digest takes as long as computing it. Digests are deleted with their comparison, and those that are left
-- of a removed agent or library by the task that ends old comparisons.
alter table agent_reconcile_folders drop constraint agent_reconcile_folders_session_id_fkey;
