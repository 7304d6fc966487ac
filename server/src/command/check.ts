import { checks } from '../assembly/checks.ts';
import { type Database, openExisting } from '../platform/database/index.ts';
import type { Settings } from '../settings/index.ts';
import { openLog, readSettings } from './context.ts';

/** Runs all consistency checks. The exit code is 1 if any of them finds a problem. */
export async function runCheck(): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings, 'check');
  const database = await openExisting(settings, log);
  try {
    await reportChecks(database, settings);
  } finally {
    await database.close();
  }
}

/** Prints the result of every check and sets the exit code. */
export async function reportChecks(database: Database, settings: Settings): Promise<void> {
  let broken = 0;
  for (const { name, severity, run } of checks) {
    const findings = await run({ db: database.db, database, settings });
    if (severity !== 'note') broken += findings.length;
    process.stdout.write(
      `${findings.length === 0 ? 'ok    ' : severity === 'note' ? 'note  ' : 'BROKEN'}  ${name}\n${findings
        .slice(0, 20)
        .map((finding) => `          ${finding}\n`)
        .join('')}`,
    );
  }
  process.stdout.write(broken === 0 ? 'All checks passed.\n' : `${broken} problems found.\n`);
  process.exitCode = broken === 0 ? 0 : 1;
}
