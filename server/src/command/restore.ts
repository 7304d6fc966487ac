import { createInterface } from 'node:readline/promises';
import { seed } from '../assembly/seed.ts';
import { encryptWebhookAddresses } from '../insight/alerts/index.ts';
import { planRestore, restoreBackup } from '../operations/backup/index.ts';
import { systemClock } from '../platform/clock.ts';
import { type Database, openDatabase } from '../platform/database/index.ts';
import type { Log } from '../platform/log/index.ts';
import { acquireFolderLock } from '../platform/processes.ts';
import { openSearchWriter } from '../search/engines/index.ts';
import { createProjector, readRebuild } from '../search/projection/index.ts';
import type { Settings } from '../settings/index.ts';
import { locateBundle } from './backup.ts';
import { reportChecks } from './check.ts';
import { CommandError } from './command-error.ts';
import { openLog, readSettings } from './context.ts';

const flags = ['--yes', '--no-backup'];

/** Replaces the catalog by a backup: plan, question, database, index, `catalog check`. */
export async function runRestore(args: readonly string[]): Promise<void> {
  const [given, ...more] = args.filter((arg) => !flags.includes(arg));
  if (given === undefined || more.length > 0 || given.startsWith('-'))
    throw new CommandError('Usage: catalog restore BACKUP [--yes] [--no-backup]', 2);
  const settings = readSettings();
  const log = openLog(settings, 'restore');
  const lock = acquireFolderLock(settings.configDir);
  process.once('exit', lock.release);
  const database = await openDatabase(settings, log);
  try {
    const backupFirst = !args.includes('--no-backup');
    const bundle = await locateBundle(settings, given);
    const plan = await planRestore({ database, settings }, bundle, backupFirst);
    const { steps, warnings } = plan;
    process.stdout.write(
      `${steps.map((step, at) => `  ${at + 1}. ${step}\n`).join('')}${warnings.map((each) => `  Warning: ${each}\n`).join('')}`,
    );
    if (!args.includes('--yes') && !(await confirm()))
      throw new CommandError('Nothing was changed. Add --yes to restore without a question.', 2);
    const before = await restoreBackup({ database, settings }, bundle, {
      plan,
      now: new Date(),
      signal: new AbortController().signal,
      progress: reportStages(),
      backupFirst,
    });
    if (before) process.stdout.write(`The previous data is in ${before.folder}. To go back: catalog restore ${before.name}\n`);
    process.stdout.write(`Restored ${bundle.manifest.item_count} items. Rebuilding the search index.\n`);
    await seed(database.db);
    await encryptWebhookAddresses({ db: database.db, settings });
    await rebuildIndex(database, settings, log);
    process.stdout.write('Checking the consistency of the catalog.\n');
    await reportChecks(database, settings);
  } finally {
    await database.close();
  }
}

const stages: Record<string, string> = {
  load: 'Loading the rows.',
  constraints: 'Building the indexes of the database.',
  files: 'Writing files.',
};

/** Says what is going on when it changes, because a large catalog takes minutes. */
function reportStages(): (value: Record<string, unknown>) => void {
  let last: unknown;
  return ({ stage }) => {
    const text = stages[String(stage)];
    if (stage !== last && text !== undefined) process.stdout.write(`${text}\n`);
    last = stage;
  };
}

async function confirm(): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await lines.question('Type "restore" to continue: ')).trim() === 'restore';
  } finally {
    lines.close();
  }
}

/** Waits for the rebuild that the restore has requested. If this is interrupted, the next worker does it. */
async function rebuildIndex(database: Database, settings: Settings, log: Log): Promise<void> {
  const projector = createProjector({ db: database.db, database, settings, log, clock: systemClock }, openSearchWriter(settings));
  projector.start();
  try {
    for (;;) {
      const state = await readRebuild(database.db);
      if (!state || state.status === 'done') return;
      if (state.status === 'failed')
        throw new Error(
          `The data is restored, but the search index could not be built: ${state.error}. Start the service and run "Rebuild the index".`,
        );
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  } finally {
    await projector.stop();
  }
}
