import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { defineMaintenanceTask, type MaintenanceTask } from '../../platform/maintenance-task.ts';
import { collectGarbage } from './collect.ts';
import { openThumbStore } from './store.ts';

/** A thumbnail younger than this may belong to an item that is not written yet. */
const graceMs = 3_600_000;

async function keysInUse(db: Db, keys: string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ thumb_key: string }>`select distinct thumb_key from items where thumb_key = any(${keys})`.execute(db);
  return new Set(rows.map((row) => row.thumb_key));
}

export function thumbMaintenance({ settings }: Pick<Dependencies, 'settings'>): MaintenanceTask[] {
  const thumbs = openThumbStore(settings);
  return [
    {
      key: 'gc_thumbnails',
      title: 'Thumbnails',
      description: 'Removes thumbnails that no file uses.',
      category: 'cleanup',
      defaultCron: '30 3 * * *',
      task: defineMaintenanceTask('gc_thumbnails', async ({ db, signal, progress }) => {
        const removed = await collectGarbage(thumbs, (keys) => keysInUse(db, keys), { graceMs, signal });
        await thumbs.removeTemporaryFiles(graceMs);
        const { files, bytes } = await thumbs.totals();
        progress({ removed_files: removed.files, removed_bytes: removed.bytes, files, bytes });
      }),
    },
  ];
}
