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
