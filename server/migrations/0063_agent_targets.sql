-- Labels of agents; a token can give them to the machine that it enrols.
alter table agents add column labels text[] not null default '{}';
alter table agent_enrollment_tokens add column labels text[] not null default '{}';

-- A group with a target applies to every agent on one of the platforms that has all of the labels, besides its members.
alter table agent_config_groups add column target_platforms text[] not null default '{}';
alter table agent_config_groups add column target_labels text[] not null default '{}';
alter table agent_config_groups add constraint agent_config_groups_target
  check (not is_system or (target_platforms = '{}' and target_labels = '{}'));

-- The groups of each agent, and why they apply.
create view agent_group_matches as
  select a.id as agent_id, g.id as group_id,
    case when g.is_system then 'everyone' when m.agent_id is not null then 'member' else 'target' end as because
  from agents a cross join agent_config_groups g
  left join agent_group_members m on m.agent_id = a.id and m.group_id = g.id
  where g.is_system or m.agent_id is not null
    or (cardinality(g.target_platforms) + cardinality(g.target_labels) > 0
      and (cardinality(g.target_platforms) = 0 or a.platform = any(g.target_platforms)) and g.target_labels <@ a.labels);

-- A paused rollout begins no step; its health gate goes on.
alter table agent_rollouts add column paused_at timestamptz;
alter table agent_release_rollouts add column paused_at timestamptz;
