import { Type } from 'typebox';
import type { Check } from '../../platform/check.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { MaintenanceTask } from '../../platform/maintenance-task.ts';
import { defineTask, permanentFailure, type Task } from '../../platform/queue/index.ts';
import { givenSettings } from '../../settings/index.ts';
import { createBackup } from './create.ts';
import { findBundleFolder } from './folder.ts';
import { verifyBackup } from './verify.ts';

type Deps = Pick<Dependencies, 'database' | 'settings'>;

export function backupMaintenance(deps: Deps): MaintenanceTask[] {
  const task = defineTask({
    name: 'backup_now',
    queue: 'maintenance',
    payload: Type.Object({}),
    attempts: 1,
    ageExempt: true,
    async perform(_payload, { clock, signal, progress, log }) {
      const { name, manifest } = await createBackup(deps, {
        createdBy: 'service',
        now: clock.now(),
        signal,
        progress,
        keep: deps.settings.backupKeep,
        environment: givenSettings(process.env),
      });
      progress({ stage: 'done', name, items: manifest.item_count, outcome: `Wrote ${name} with ${manifest.item_count} items.` });
      log.info(`Wrote the backup ${name} with ${manifest.item_count} items.`);
    },
  });
  return [
    {
      key: 'backup_now',
      title: 'Back up',
      description:
        'Writes a backup of the database to the config folder and removes the oldest ones. Runs on demand until you schedule it.',
      category: 'system',
      defaultCron: null,
      task,
    },
  ];
}

/** Restores one bundle into a temporary database. One at a time, because it needs as much disk as the catalog itself. */
export function verifyTask(deps: Deps, checks: readonly Check[]): Task {
  return defineTask({
    name: 'verify_backup',
    queue: 'maintenance',
    payload: Type.Object({ name: Type.String() }),
    attempts: 1,
    ageExempt: true,
    async perform({ name }, { clock, signal, progress, log }) {
      const folder = findBundleFolder(deps.settings, name);
      if (!folder) throw permanentFailure(`The backup ${name} no longer exists.`);
      const result = await verifyBackup(deps, folder, { now: clock.now(), signal, progress, checks });
      progress({ stage: 'done', name, ok: result.ok });
      if (result.ok) log.info(`Verified the backup ${name} in ${result.seconds} s.`);
      else log.error(`The backup ${name} is damaged. ${result.error}`);
    },
  });
}
