-- What a schedule needs to tell which rows are gone: digests of the keys of rows, and of the rights under which the rows were read.
alter table export_digests add column keys bytea not null default '';
alter table export_digests add column access text not null default '';

-- Names of one folder that differ only in case. Statements that may change them append the folder to name_changes; insight/reports/kept.ts
-- looks at these folders again.
create table case_collisions (
  folder_id bigint not null,
  folded text not null,
  primary key (folder_id, folded)
);
create table name_changes (
  folder_id bigint not null
);
insert into name_changes select id from folders;

-- Active files and their bytes by library and tag. Statements append to tag_changes; the current value is the sum of both tables.
create table tag_totals (
  library_id uuid not null,
  tag text not null,
  items bigint not null,
  bytes numeric not null,
  primary key (library_id, tag)
);
create table tag_changes (
  library_id uuid not null,
  tag text not null,
  items bigint not null,
  bytes numeric not null
);
insert into tag_totals
  select library_id, tag, count(*), sum(size) from items cross join unnest(tags) tag where status = 'active' and tags <> '{}' group by 1, 2;

create function record_inserted_names() returns trigger language plpgsql as $$
begin
  insert into name_changes select distinct folder_id from new_rows where status = 'active';
  insert into tag_changes select library_id, tag, count(*), sum(size) from new_rows cross join unnest(tags) tag
    where status = 'active' and tags <> '{}' group by 1, 2;
  return null;
end $$;
create trigger items_names_inserted after insert on items referencing new table as new_rows for each statement execute function record_inserted_names();
create function record_deleted_names() returns trigger language plpgsql as $$
begin
  insert into name_changes select distinct folder_id from old_rows where folder_id in (select folder_id from case_collisions);
  insert into tag_changes select library_id, tag, -count(*), -sum(size) from old_rows cross join unnest(tags) tag
    where status = 'active' and tags <> '{}' group by 1, 2;
  return null;
end $$;
create trigger items_names_deleted after delete on items referencing old table as old_rows for each statement execute function record_deleted_names();
create function record_updated_names() returns trigger language plpgsql as $$
begin
  insert into name_changes
    select distinct folder from new_rows n join old_rows o using (id) cross join lateral (values (n.folder_id), (o.folder_id)) f (folder)
    where (n.filename, n.folder_id, n.status) is distinct from (o.filename, o.folder_id, o.status);
  insert into tag_changes
    select library_id, tag, sum(items), sum(items * size) from (
      select n.library_id, unnest(n.tags) as tag, 1 as items, n.size from new_rows n join old_rows o using (id)
        where n.status = 'active' and n.tags <> '{}' and (n.tags, n.size, n.status, n.library_id) is distinct from (o.tags, o.size, o.status, o.library_id)
      union all
      select o.library_id, unnest(o.tags), -1, o.size from new_rows n join old_rows o using (id)
        where o.status = 'active' and o.tags <> '{}' and (n.tags, n.size, n.status, n.library_id) is distinct from (o.tags, o.size, o.status, o.library_id)
    ) c group by 1, 2 having sum(items) <> 0 or sum(items * size) <> 0;
  return null;
end $$;
create trigger items_names_updated after update on items referencing new table as new_rows old table as old_rows
  for each statement execute function record_updated_names();

-- The largest folders are read from this index instead of sorting all of them.
create index folder_totals_bytes on folder_totals (bytes);
