-- Copies on agents are counted again: equal file numbers of two machines were taken for hard links.
insert into duplicate_changes select distinct m.prefix from duplicate_members m join all_libraries l on l.id = m.library_id
  where l.source_agent_id is not null and m.inode is not null;

-- Conditions of rules with a digest had one alert per window, of which only the last one could end. What still lasts opens one again.
update alert_groups set state = 'resolved', outcome = 'expired', resolved_at = now(), due_at = null, held = null
  where lasting and digest_until is not null and state <> 'resolved';

-- Incidents without a channel end after a day. Those from before had no time at which they are looked at again.
update alert_groups set due_at = last_event_at + interval '1 day'
  where state = 'firing' and held = 'no channel' and not lasting and due_at is null;

-- Services of a channel that have the report already, so that a retry leaves them out.
alter table schedule_deliveries add column done_targets text[] not null default '{}';
