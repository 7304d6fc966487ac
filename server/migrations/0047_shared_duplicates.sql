-- Contents that several libraries hold, for the report of copies by library pair. The key is the size, because a list of libraries can be
-- longer than an index entry.
create index duplicate_groups_shared on duplicate_groups (size) where cardinality(libraries) > 1;
