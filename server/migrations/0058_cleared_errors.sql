-- The error marker that a retry took from the item. A retry that fails in the same way has changed nothing and is not history.
alter table extract_pending add column cleared_error jsonb;
