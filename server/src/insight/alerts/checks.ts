import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';

export const alertChecks: Check[] = [
  {
    name: 'every alert counts at least the events it keeps, and no message covers more than there are',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The alert ' || g.id || ' counts ' || g.events || ' events and has sent ' || g.notified_events || '.' as sentence from alert_groups g
          where g.notified_events > g.events or (select count(*) from alert_events e where e.group_id = g.id) > g.events`,
      ),
  },
  {
    name: 'every alert that fires was sent or says why not',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The alert ' || id || ' fires, but was neither sent nor held.' as sentence from alert_groups where state = 'firing' and notified_at is null and held is null and acknowledged_at is null`,
      ),
  },
  {
    name: 'the address of every webhook is encrypted',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The address of the channel "' || name || '" is stored in plain text. Set SVC_SECRET_KEY and start the app.' as sentence
          from alert_channels where type = 'webhook' and config ? 'url' order by name`,
      ),
  },
  {
    name: 'every secret of an alert channel belongs to a channel',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select 'The secret ' || name || ' belongs to no channel.' as sentence from secrets
          where starts_with(name, 'alert-channel/') and split_part(name, '/', 2) not in (select id::text from alert_channels)`,
      ),
  },
];
