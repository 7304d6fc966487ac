-- A rollout of a release can be limited to agents of configuration groups. A group that was deleted covers nobody.
alter table agent_release_rollouts add column target_groups uuid[] not null default '{}';
