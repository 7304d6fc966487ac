import { seed } from '../assembly/seed.ts';
import { migrate, openDatabase } from '../platform/database/index.ts';
import { openLog, readSettings } from './context.ts';

/** Waits for the database and applies missing migrations. Idempotent. */
export async function runBootstrap(): Promise<void> {
  const settings = readSettings();
  const database = await openDatabase(settings, openLog(settings, 'bootstrap'));
  try {
    const { applied, head } = await migrate(database.pool);
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
