-- Escalation: who is told as well when nobody acknowledges an alert in time.
alter table alert_rules add column escalate_after_s integer check (escalate_after_s between 60 and 604800);
alter table alert_rules add column escalate_channel_ids uuid[] not null default '{}';
alter table alert_groups add column escalated_at timestamptz;
alter table alert_notifications drop constraint alert_notifications_kind_check;
alter table alert_notifications add constraint alert_notifications_kind_check
  check (kind in ('firing', 'update', 'reminder', 'escalation', 'resolved'));

-- What each process counts, stored every few seconds, so that one app can answer for all. It may be lost.
create unlogged table process_metrics (
  process text primary key,
  samples jsonb not null,
  reported_at timestamptz not null default now()
);
