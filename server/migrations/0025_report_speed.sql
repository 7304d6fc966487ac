-- The libraries of each duplicate group, in order, so that the pairs of libraries are counted from the groups alone. Groups are computed by
-- insight/copies; those that exist get theirs here.
alter table duplicate_groups add column libraries uuid[] not null default '{}';
update duplicate_groups g set libraries = m.libraries
  from (select key, array_agg(distinct library_id) as libraries from duplicate_members group by key) m where m.key = g.key;

-- Missing files, longest missing first.
create index items_missing on items (deleted_at, id) include (library_id, size) where status = 'missing';
