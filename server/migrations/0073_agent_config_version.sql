-- Moves with every change that a configuration of agents depends on, so that a configuration that was computed before is used again until
-- then. The triggers run when a transaction commits: the row is locked last, and nothing waits behind it in another order.
create table agent_config_state (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 1
);
insert into agent_config_state default values;

create function note_agent_config_change() returns trigger language plpgsql as $$
begin
  update agent_config_state set version = version + 1;
  return null;
end $$;

create constraint trigger agent_config_groups_changed after insert or update or delete on agent_config_groups
  deferrable initially deferred for each row execute function note_agent_config_change();
create constraint trigger agent_group_members_changed after insert or update or delete on agent_group_members
  deferrable initially deferred for each row execute function note_agent_config_change();
create constraint trigger agent_rollouts_changed after insert or update or delete on agent_rollouts
  deferrable initially deferred for each row execute function note_agent_config_change();
create constraint trigger presets_changed_for_agents after insert or update or delete on presets
  deferrable initially deferred for each row execute function note_agent_config_change();
create constraint trigger agents_described after update of labels, platform on agents
  deferrable initially deferred for each row execute function note_agent_config_change();
