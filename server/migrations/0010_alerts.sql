-- Encrypted values by name, such as alert-channel/<id>/password. key_id names the key, so that a rotation can be repeated at any point.
create table secrets (
  name text primary key,
  key_id text not null,
  ciphertext text not null,
  updated_at timestamptz not null default now()
);

-- The content hash before a change, so that a consumer of the change log can tell whether the content differs.
alter table scan_changes add column old_content_hash text;

-- Conditions and incidents that any module may raise; insight/alerts consumes and deletes them.
create table system_events (
  id bigint generated always as identity primary key,
  kind text not null,
  -- What the event is about, such as a library or a disk. Events of one subject belong to one alert.
  subject text not null,
  -- 'firing' until 'recovered'; 'once' for an incident without an end.
  status text not null check (status in ('firing', 'recovered', 'once')),
  message text not null,
  facts jsonb not null default '{}',
  library_id uuid,
  item_id uuid,
  rel_path text,
  at timestamptz not null default now()
);

-- Scan runs whose change log or outcome the alert rules have yet to read. `after` is the last item read, so that work resumes after a kill.
create table alert_inbox (
  run_id uuid not null,
  what text not null check (what in ('changes', 'outcome')),
  after uuid,
  primary key (run_id, what)
);

create function queue_run_for_alerts() returns trigger language plpgsql as $$
begin
  if new.settled and (tg_op = 'INSERT' or not old.settled) then
    insert into alert_inbox (run_id, what) values (new.id, 'changes') on conflict do nothing;
  end if;
  if new.status in ('failed', 'finished') and (tg_op = 'INSERT' or old.status not in ('failed', 'finished')) then
    insert into alert_inbox (run_id, what) values (new.id, 'outcome') on conflict do nothing;
  end if;
  return null;
end $$;
create trigger scan_runs_alerts after insert or update of settled, status on scan_runs for each row execute function queue_run_for_alerts();

create table alert_channels (
  id uuid primary key default uuidv7(),
  name text not null,
  type text not null check (type in ('webhook', 'smtp', 'gateway')),
  -- Without secrets; those are in `secrets` under alert-channel/<id>/.
  config jsonb not null default '{}',
  enabled boolean not null default true,
  created_at timestamptz not null default now(),
  last_delivered_at timestamptz,
  last_error text,
  -- Consecutive messages that could not be delivered.
  failures integer not null default 0
);
create unique index alert_channels_name on alert_channels (lower(name));

create table alert_rules (
  id uuid primary key default uuidv7(),
  name text not null,
  enabled boolean not null default true,
  is_system boolean not null default false,
  severity text not null default 'warning' check (severity in ('info', 'warning', 'critical')),
  library_id uuid,
  path_glob text,
  event_types text[] not null check (cardinality(event_types) > 0),
  hash_change_only boolean not null default false,
  saved_search_id uuid references saved_searches (id) on delete cascade,
  -- The person whose rights decide what a saved search may find.
  owner_id uuid,
  group_by text[] not null default '{}',
  group_wait_s integer not null default 30 check (group_wait_s >= 0),
  digest_window text check (digest_window in ('hourly', 'daily')),
  repeat_interval_s integer check (repeat_interval_s >= 60),
  threshold_count integer check (threshold_count > 0),
  threshold_window_s integer check (threshold_window_s > 0),
  notify_resolved boolean not null default true,
  channel_ids uuid[] not null default '{}',
  inhibited_by uuid[] not null default '{}',
  inhibit_window_s integer not null default 900 check (inhibit_window_s between 0 and 86400),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index alert_rules_name on alert_rules (lower(name));

-- An alert: the events of one rule with one key. insight/alerts/groups.ts describes the states. At most one per key is open.
create table alert_groups (
  id uuid primary key default uuidv7(),
  rule_id uuid not null references alert_rules (id) on delete cascade,
  dedup_key text not null,
  event_type text not null,
  library_id uuid,
  subject text not null,
  message text not null default '',
  facts jsonb not null default '{}',
  state text not null default 'waiting' check (state in ('waiting', 'firing', 'resolved')),
  outcome text check (outcome in ('recovered', 'acknowledged', 'expired', 'silenced', 'inhibited', 'disabled', 'below_threshold')),
  -- The condition lasts until it recovers; without it the alert is an incident that ends by acknowledgement or with time.
  lasting boolean not null,
  digest_until timestamptz,
  events integer not null default 0,
  -- How many of them earlier messages covered.
  notified_events integer not null default 0,
  notified_at timestamptz,
  notified_up_to bigint not null default 0,
  opened_at timestamptz not null default now(),
  last_event_at timestamptz not null default now(),
  resolved_at timestamptz,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  acknowledged_name text,
  -- Why a due message is not sent yet.
  held text,
  -- When the pump looks at this alert next; null when nothing is to come.
  due_at timestamptz
);
create unique index alert_groups_open on alert_groups (rule_id, dedup_key) where state <> 'resolved';
create index alert_groups_due on alert_groups (due_at) where due_at is not null;
create index alert_groups_key on alert_groups (rule_id, dedup_key, notified_at desc);
create index alert_groups_recent on alert_groups (rule_id, last_event_at desc);
create index alert_groups_resolved on alert_groups (resolved_at desc) where state = 'resolved';

create table alert_events (
  position bigint generated always as identity primary key,
  id uuid not null default uuidv7() unique,
  rule_id uuid not null references alert_rules (id) on delete cascade,
  group_id uuid not null references alert_groups (id) on delete cascade,
  event_type text not null,
  item_id uuid,
  library_id uuid,
  rel_path text,
  message text not null,
  facts jsonb not null default '{}',
  occurred_at timestamptz not null default now()
);
create index alert_events_group on alert_events (group_id, position);
create index alert_events_rule on alert_events (rule_id, position desc);

-- How many events came when, for thresholds: one row per batch, not per event.
create table alert_tallies (
  group_id uuid not null references alert_groups (id) on delete cascade,
  at timestamptz not null,
  events integer not null
);
create index alert_tallies_group on alert_tallies (group_id, at);

-- One message about an alert. It is written together with the alert's new state, so each is decided exactly once.
create table alert_notifications (
  id uuid primary key default uuidv7(),
  group_id uuid not null references alert_groups (id) on delete cascade,
  rule_id uuid not null,
  kind text not null check (kind in ('firing', 'update', 'reminder', 'resolved')),
  up_to bigint not null default 0,
  message jsonb not null,
  created_at timestamptz not null default now()
);
create index alert_notifications_group on alert_notifications (group_id, created_at);
create index alert_notifications_rule on alert_notifications (rule_id, created_at);

-- The delivery of one message through one channel. insight/alerts/deliver.ts describes the states.
create table alert_deliveries (
  notification_id uuid not null references alert_notifications (id) on delete cascade,
  channel_id uuid not null references alert_channels (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'sending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  -- Targets of a gateway that have received the message, so that a retry leaves them out.
  done_targets text[] not null default '{}',
  last_error text,
  delivered_at timestamptz,
  primary key (notification_id, channel_id)
);
create index alert_deliveries_open on alert_deliveries (next_attempt_at) where state in ('pending', 'sending');
create index alert_deliveries_channel on alert_deliveries (channel_id);

create table alert_silences (
  id uuid primary key default uuidv7(),
  rule_id uuid references alert_rules (id) on delete cascade,
  library_id uuid,
  dedup_key text,
  reason text not null default '',
  starts_at timestamptz not null default now(),
  -- Null for quiet hours, which repeat daily.
  ends_at timestamptz,
  daily_from text check (daily_from ~ '^[0-2][0-9]:[0-5][0-9]$'),
  daily_to text check (daily_to ~ '^[0-2][0-9]:[0-5][0-9]$'),
  time_zone text,
  created_by text not null default '',
  created_at timestamptz not null default now(),
  check ((ends_at is null) = (daily_from is not null and daily_to is not null))
);

-- Files that a saved-search rule has yet to test, and files it has already reported.
create table alert_search_items (
  rule_id uuid not null references alert_rules (id) on delete cascade,
  item_id uuid not null,
  state text not null check (state in ('candidate', 'known')),
  since timestamptz not null default now(),
  primary key (rule_id, item_id)
);
create index alert_search_candidates on alert_search_items (rule_id) where state = 'candidate';

-- Extraction errors per library over time, for the error-spike rule.
create table alert_error_samples (
  library_id uuid not null,
  at timestamptz not null,
  errors integer not null,
  primary key (library_id, at)
);
