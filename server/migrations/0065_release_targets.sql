-- A rollout of a release with a target concerns only agents on one of the platforms that have all of the labels.
alter table agent_release_rollouts add column target_platforms text[] not null default '{}';
alter table agent_release_rollouts add column target_labels text[] not null default '{}';
