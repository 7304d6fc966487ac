-- Folders on machines of agents with the network addresses that people use for them.
create table agent_share_maps (
  id uuid primary key default uuidv7(),
  -- Null: the rule is for every agent.
  agent_id uuid references agents (id) on delete cascade,
  -- Null: the rule is for every library.
  library_id uuid references all_libraries (id) on delete cascade,
  local_prefix text not null,
  share_prefix text not null,
  unc text,
  storage_type text,
  host text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index agent_share_maps_single
  on agent_share_maps (coalesce(agent_id::text, ''), coalesce(library_id::text, ''), local_prefix);
create index agent_share_maps_library on agent_share_maps (library_id) where library_id is not null;

-- The rule for a file of an agent, and the path below its folder: {prefix, unc, rest}. The deepest folder wins, then a rule of the agent before
-- one for all, then a rule of the library. On Windows neither case nor the kind of slash counts.
create function share_rule_of(agent uuid, library uuid, root text, rel text) returns jsonb language sql stable as $$
  select jsonb_build_object('prefix', m.share_prefix, 'unc', m.unc, 'rest', substr(p.file, char_length(p.folder) + 2))
  from agents a
  join agent_share_maps m on (m.agent_id = a.id or m.agent_id is null) and (m.library_id = library or m.library_id is null)
  cross join lateral (
    select case when a.platform = 'windows' then rtrim(replace(m.local_prefix, '\', '/'), '/') else rtrim(m.local_prefix, '/') end as folder,
      case when a.platform = 'windows' then rtrim(replace(root, '\', '/'), '/') else rtrim(root, '/') end || '/' || rel as file) p
  where a.id = agent and case when a.platform = 'windows' then starts_with(lower(p.file), lower(p.folder) || '/')
    else starts_with(p.file, p.folder || '/') end
  order by char_length(p.folder) desc, m.agent_id is null, m.library_id is null limit 1
$$;
