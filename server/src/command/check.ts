import { checks } from '../assembly/checks.ts';
import { openDatabase } from '../platform/database/index.ts';
import { openLog, readSettings } from './context.ts';

/** Runs all consistency checks. The exit code is 1 if any of them finds a problem. */
export async function runCheck(): Promise<void> {
  const settings = readSettings();
  const log = openLog(settings, 'check');
  const database = await openDatabase(settings, log);
  let broken = 0;
  try {
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
  } finally {
    await database.close();
  }
  process.stdout.write(broken === 0 ? 'All checks passed.\n' : `${broken} problems found.\n`);
  process.exitCode = broken === 0 ? 0 : 1;
}
