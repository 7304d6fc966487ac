-- Commands that check one file, and one that pauses scans.
alter table agent_commands drop constraint agent_commands_kind_check;
alter table agent_commands add constraint agent_commands_kind_check check (kind in
  ('rescan', 'inventory', 'reconcile', 'stage_upload', 'self_update', 'suspend', 'stat_check', 'rehash_check'));
