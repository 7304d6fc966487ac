import { seed } from '../assembly/seed.ts';
import { migrate, openDatabase } from '../platform/database/index.ts';
import { openLog, readSettings } from './context.ts';

/** Brings the database to the newest schema; waits until the database answers; does nothing the second time. */
export async function runBootstrap(): Promise<void> {
  const settings = readSettings();
  const database = await openDatabase(settings, openLog(settings, 'bootstrap'));
  try {
    const { applied, head } = await migrate(database.pool);
    await seed(database.db);
    process.stdout.write(
      applied.length > 0
        ? `Applied ${applied.length} migrations; the schema is at version ${head}.\n`
        : `Nothing to do; the schema is at version ${head}.\n`,
    );
  } finally {
    await database.close();
  }
}
