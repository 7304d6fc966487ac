import { checks } from '../assembly/checks.ts';
import { openDatabase } from '../platform/database/index.ts';
import { openLog, readSettings } from './context.ts';

/** Verifies what must always hold. Exit 0 when all holds, 1 with the list of what does not. */
export async function runCheck(): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings, 'check');
  const database = await openDatabase(settings, log);
  let broken = 0;
  try {
    for (const { name, run } of checks) {
      const findings = await run({ db: database.db, database, settings });
      broken += findings.length;
      process.stdout.write(
        `${findings.length === 0 ? 'ok    ' : 'BROKEN'}  ${name}\n${findings
          .slice(0, 20)
          .map((finding) => `          ${finding}\n`)
          .join('')}`,
      );
    }
  } finally {
    await database.close();
  }
  process.stdout.write(broken === 0 ? 'All checks hold.\n' : `${broken} findings.\n`);
  process.exitCode = broken === 0 ? 0 : 1;
}
