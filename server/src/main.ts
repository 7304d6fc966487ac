#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { threadFile } from '@catalog/scanner';
import { CommandError } from './command/command-error.ts';
import { privateUmask } from './platform/config-folder.ts';
import { UnusableDatabaseError } from './platform/database/index.ts';
import { endProcess } from './platform/processes.ts';
import { version } from './version.ts';

interface Command {
  run(args: string[]): Promise<void>;
  /** The words that may follow the command; without them it takes no argument. */
  actions?: readonly string[];
  /** The command checks its arguments itself. */
  usage?: string;
  summary: string;
  help: string;
}

// Keeps compiled modules between runs, because short commands take longer to load than to run. Without the right to write there nothing is kept.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/catalog', import.meta.url)));

// Each command loads its modules on first use, so that a worker loads no routes and `version` loads nothing.
const commands = {
  all: {
    run: async () => (await import('./command/all.ts')).runAll(),
    summary: 'run everything on this machine',
    help: 'Starts the database (unless SVC_DATABASE_URL is set), updates its schema, and runs one app and one worker process. Stop it with Ctrl-C.',
  },
  app: {
    run: async () => (await import('./command/app.ts')).runApp(),
    summary: 'run only the web and API process',
    help: 'Serves the console and the API on SVC_HOST:SVC_PORT. Requires SVC_DATABASE_URL, or a running `catalog all` with the same SVC_CONFIG_DIR.',
  },
  worker: {
    run: async () => (await import('./command/worker.ts')).runWorker(),
    summary: 'run only a worker process',
    help: 'Runs queued jobs, up to SVC_WORKER_CONCURRENCY at a time. Any number of workers may share one database.',
  },
  bootstrap: {
    run: async () => (await import('./command/bootstrap.ts')).runBootstrap(),
    summary: 'update the database schema',
    help: 'Waits until the database is available and applies missing migrations. It is safe to run repeatedly.',
  },
  check: {
    run: async () => (await import('./command/check.ts')).runCheck(),
    summary: 'check the consistency of the catalog',
    help: 'Checks the database and compares it with the search index. Exits with 0 if everything is consistent, otherwise with 1 and a list of problems. Changes nothing.',
  },
  backup: {
    run: async (args) => (await import('./command/backup.ts')).runBackup(args),
    usage: 'catalog backup [--to FOLDER] [--keep N] [--environment FILE] [--authority] | catalog backup verify BACKUP',
    summary: 'back up the database, or verify a backup',
    help: `Writes a backup to the folder backups of the config folder and removes all but the newest SVC_BACKUP_KEEP. The service may be running.
--to and --keep choose another folder and another number. --environment adds the secret key and that environment file in plain text (- reads it from the standard input); keep such a backup in a safe place. --authority adds the keys of the built-in certificate authority of the agents in the same way.
verify BACKUP: restores a backup into a temporary database, compares every row, and runs the consistency checks there. BACKUP is a name, a folder or a downloaded tar file.`,
  },
  restore: {
    run: async (args) => (await import('./command/restore.ts')).runRestore(args),
    usage: 'catalog restore BACKUP [--yes] [--no-backup]',
    summary: 'replace the catalog by a backup',
    help: `Shows what it is going to do and asks first; --yes does not ask. The service must be stopped. BACKUP is a name, a folder or a downloaded tar file.
The current database is backed up before it is replaced, unless --no-backup is given. The search index is rebuilt, and the consistency of the catalog is checked at the end.`,
  },
  secrets: {
    run: async ([action]) => (await import('./command/secrets.ts')).runSecrets(action === 'rotate' ? 'rotate' : 'clear-fingerprint'),
    actions: ['rotate', 'clear-fingerprint'],
    summary: 'rotate the key of stored secrets',
    help: `rotate: encrypts every stored secret with the current key. Set SVC_SECRET_KEY to the new key and SVC_SECRET_KEY_PREVIOUS to the old one first; without SVC_SECRET_KEY a new key is written to the config folder.
clear-fingerprint: forgets which key was used, after a lost key was replaced and every secret entered again. The next start records the new key.`,
  },
  'agent-release': {
    run: async (args) => (await import('./command/agent-release.ts')).runAgentRelease(args),
    usage: 'catalog agent-release sign FOLDER',
    summary: 'sign programs for agents',
    help: `Signs the programs catalog-agent-* in a folder that also has a file VERSION: writes manifest.json, SHA256SUMS and SHA256SUMS.sig beside them.
The key is agent-release-key.pem in the config folder, made at the first start with agents. It may be moved to the config folder of another machine and used there; no database is needed to sign.`,
  },
  mcp: {
    run: async () => (await import('./command/mcp.ts')).runMcp(),
    summary: 'offer tools to an assistant on this machine',
    help: 'Speaks the Model Context Protocol on standard input and output, for an assistant that starts it. CATALOG_API_KEY is the API key whose rights apply. Requires SVC_DATABASE_URL, or a running `catalog all` with the same SVC_CONFIG_DIR.',
  },
  version: {
    run: async () => {
      process.stdout.write(`${version}\n`);
    },
    summary: 'print the version',
    help: 'Prints the version and exits.',
  },
} satisfies Record<string, Command>;

function usage(): string {
  const width = Math.max(...Object.keys(commands).map((name) => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: catalog <command>\n\n${lines.join('\n')}\n\nRun catalog <command> --help for details. Settings are read from SVC_ environment variables or an environment file; the manual lists them.\n`;
}

async function main(args: string[]): Promise<void> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name)) return void process.stdout.write(usage());
  if (name === '--version') return commands.version.run();
  const command = Object.hasOwn(commands, name) ? (commands as Record<string, Command>)[name] : undefined;
  if (!command) throw new CommandError(`Unknown command "${name}".\n\n${usage()}`.trimEnd(), 2);
  if (rest.includes('--help') || rest.includes('-h'))
    return void process.stdout.write(
      `catalog ${name}: ${command.summary}\n\n${command.usage ? `Usage: ${command.usage}\n\n` : ''}${command.help}\n`,
    );
  if (command.actions && (rest.length !== 1 || !command.actions.includes(rest[0] ?? '')))
    throw new CommandError(`"catalog ${name}" needs one of: ${command.actions.join(', ')}`, 2);
  if (!command.actions && !command.usage && rest.length > 0)
    throw new CommandError(`"catalog ${name}" takes no arguments. Remove: ${rest.join(' ')}`, 2);
  if (name !== 'version' && !existsSync(threadFile('hash-thread')))
    throw new Error('Catalog is not built yet. Run `npm start`, or `node scripts/build-stale.mjs`, in its folder.');
  process.umask(privateUmask);
  await command.run(rest);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const known = error instanceof UnusableDatabaseError || !(error instanceof TypeError || error instanceof ReferenceError);
  process.stderr.write(`${known ? (error as Error).message : (error as Error).stack}\n`);
  endProcess(error instanceof CommandError ? error.exitCode : error instanceof UnusableDatabaseError ? 3 : 1);
}
