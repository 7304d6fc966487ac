import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { purgeResolved } from './events-store.ts';
import { pump } from './pump.ts';
import { createSearchMatcher } from './saved-hits.ts';
import { purgeSilences } from './silences.ts';

const dayMs = 86_400_000;

/** Alerts are sent in maintenance mode as well. */
export function alertMaintenance({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] {
  const deliver = defineMaintenanceTask('deliver_alerts', async ({ db, log, clock, signal }) => {
    const tools = { outbound: createOutbound({ settings }), matchSearch: createSearchMatcher({ db, settings, clock }) };
    await pump({ db, log, settings, now: clock.now(), signal }, tools);
  });
  return [
    {
      key: 'deliver_alerts',
      title: 'Alerts',
      description: 'Checks alert rules against what happened, and sends messages that are due.',
      category: 'monitors',
      defaultCron: '* * * * *',
      fixed: true,
      task: { ...deliver, queue: 'alerts' },
    },
    {
      key: 'purge_alert_events',
      title: 'Old alerts',
      description: 'Deletes alerts that ended more than SVC_ALERT_EVENTS_RETENTION_DAYS days ago.',
      category: 'cleanup',
      defaultCron: '45 4 * * *',
      task: defineMaintenanceTask('purge_alert_events', async ({ db, clock, signal }) => {
        const before = new Date(clock.now().getTime() - settings.alertEventsRetentionDays * dayMs);
        await purgeSilences(db, before);
        while (!signal.aborted && (await purgeResolved(db, before, 200)) > 0);
      }),
    },
  ];
}
