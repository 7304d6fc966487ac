import { seed } from '../assembly/seed.ts';
import { updateSchema } from '../operations/backup/index.ts';
import { openDatabase } from '../platform/database/index.ts';
import { openLog, readSettings } from './context.ts';

/** Waits for the database and applies missing migrations. Idempotent. */
export async function runBootstrap(): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings, 'bootstrap');
  const database = await openDatabase(settings, log);
  try {
    const { applied, head } = await updateSchema({ database, settings }, log);
    await seed(database.db);
    process.stdout.write(
      applied.length > 0
        ? `Applied ${applied.length} migrations. The schema is at version ${head}.\n`
        : `The schema is up to date at version ${head}.\n`,
    );
  } finally {
    await database.close();
  }
}
