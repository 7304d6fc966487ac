-- All changes of an item in order, so that the net change between two dates is found without sorting the log.
create index scan_changes_item on scan_changes (item_id, run_id);
