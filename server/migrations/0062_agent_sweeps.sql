-- Commands that read contents again, compare bytes with hashes, and tidy up the index of an agent.
alter table agent_commands drop constraint agent_commands_kind_check;
alter table agent_commands add constraint agent_commands_kind_check check (kind in
  ('rescan', 'inventory', 'reconcile', 'stage_upload', 'self_update', 'suspend', 'stat_check', 'rehash_check', 'reextract', 'rehash_sweep',
   'agent_maintenance'));
