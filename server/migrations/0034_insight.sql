-- All changes of an item in order, so that the net change between two dates is found without sorting the log.
create index scan_changes_item on scan_changes (item_id, run_id);

-- Reports on a person's start page.
create table report_pins (
  id bigint generated always as identity primary key,
  -- Account or service account; null when authentication is off.
  owner_id uuid,
  report_id text not null,
  unique nulls not distinct (owner_id, report_id)
);

-- Grows with every statement that can change a cleanup plan, so that its totals are computed again only then.
create sequence plan_changes;
create function record_plan_change() returns trigger language plpgsql as $$
begin
  perform nextval('plan_changes');
  return null;
end $$;
create trigger items_plan_changed after insert or update or delete on items for each statement execute function record_plan_change();
create trigger libraries_plan_changed after insert or update or delete on all_libraries for each statement execute function record_plan_change();
create trigger members_plan_changed after insert or update or delete on duplicate_members for each statement execute function record_plan_change();
create trigger choices_plan_changed after insert or update or delete on duplicate_choices for each statement execute function record_plan_change();
create trigger photos_plan_changed after insert or update or delete on photo_hashes for each statement execute function record_plan_change();

-- What decides which copy a cleanup plan keeps, so that totals of a plan read only these rows. insight/copies/settle.ts fills them in.
alter table duplicate_members add column rel_path text not null default '', add column size bigint not null default 0, add column allocated bigint,
  add column mtime_ns bigint not null default 0, add column dev bigint, add column inode bigint, add column nlink integer,
  add column annotated boolean not null default false, add column pixels bigint not null default 0;
insert into duplicate_changes select distinct prefix from duplicate_members;
create or replace function record_updated_duplicates() returns trigger language plpgsql as $$
begin
  insert into duplicate_changes
    select distinct prefix from new_rows n join old_rows o using (id)
      cross join lateral (values (duplicate_prefix(n.content_hash, n.quick_hash)), (duplicate_prefix(o.content_hash, o.quick_hash))) p (prefix)
    where prefix is not null and (n.content_hash, n.quick_hash, n.size, n.status, n.library_id, n.dev, n.inode)
      is distinct from (o.content_hash, o.quick_hash, o.size, o.status, o.library_id, o.dev, o.inode)
    union
    -- Looked up row by row, whatever the size of the first statement for which this is planned.
    select m.prefix from new_rows n join old_rows o using (id) cross join lateral (select prefix from duplicate_members where item_id = n.id limit 1) m
    where (n.rel_path, n.allocated, n.mtime_ns, n.nlink, n.tags, n.user_metadata, n.user_title, n.user_year, n.user_external_ids, n.metadata -> 'width', n.metadata -> 'height')
      is distinct from (o.rel_path, o.allocated, o.mtime_ns, o.nlink, o.tags, o.user_metadata, o.user_title, o.user_year, o.user_external_ids, o.metadata -> 'width', o.metadata -> 'height');
  return null;
end $$;

-- The position, from 0, at which the first two rows of numbers differ; null when they are equal. Rules of a cleanup plan are numbered so.
create function first_difference(numbers bigint[]) returns integer immutable parallel safe language plpgsql as $$
begin
  for at in 1 .. array_length(numbers, 2) loop
    if numbers[1][at] <> numbers[2][at] then
      return at - 1;
    end if;
  end loop;
  return null;
end $$;
