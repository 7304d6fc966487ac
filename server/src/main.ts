#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { runAll } from './command/all.ts';
import { runApp } from './command/app.ts';
import { runBootstrap } from './command/bootstrap.ts';
import { runCheck } from './command/check.ts';
import { runWorker } from './command/worker.ts';
import { DatabaseRefusal } from './platform/database/index.ts';
import { threadFile } from '@catalog/scanner';
import { version } from './version.ts';

interface Command {
  run(): Promise<void>;
  summary: string;
  help: string;
}

const commands: Record<string, Command> = {
  all: {
    run: runAll,
    summary: 'run everything on this machine',
    help: 'Starts the database (unless SVC_DATABASE_URL is set), brings its schema to head, and keeps one app and one worker process running. Stop it with Ctrl-C.',
  },
  app: {
    run: runApp,
    summary: 'run the web and API process alone',
    help: 'Serves the console and the API on SVC_HOST:SVC_PORT. Needs SVC_DATABASE_URL, or a running `catalog all` with the same SVC_CONFIG_DIR.',
  },
  worker: {
    run: runWorker,
    summary: 'run a worker process alone',
    help: 'Does the queued work with SVC_WORKER_CONCURRENCY slots. Any number of workers may share one database.',
  },
  bootstrap: {
    run: runBootstrap,
    summary: 'bring the database to the newest schema',
    help: 'Waits until the database answers, applies missing migrations, and does nothing the second time.',
  },
  check: {
    run: runCheck,
    summary: 'verify what must always hold',
    help: 'Checks database invariants and index parity. Exits 0 when all holds, 1 with a list when not. Changes nothing.',
  },
  version: {
    run: async () => {
      process.stdout.write(`${version}\n`);
    },
    summary: 'print the version',
    help: 'Prints the version and exits.',
  },
};

function usage(): string {
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(10)} ${summary}`);
  return `Usage: catalog <command>\n\n${lines.join('\n')}\n\nEach takes --help. Settings come from SVC_ variables of the environment or an environment file; the manual lists them.\n`;
}

async function main(args: string[]): Promise<void> {
  const [name = 'help', ...rest] = args;
  if (['help', '--help', '-h'].includes(name)) return void process.stdout.write(usage());
  if (name === '--version') return commands['version']!.run();
  const command = commands[name];
  if (!command) {
    process.stderr.write(`There is no command "${name}".\n\n${usage()}`);
    process.exit(2);
  }
  if (rest.includes('--help') || rest.includes('-h'))
    return void process.stdout.write(`catalog ${name}: ${command.summary}\n\n${command.help}\n`);
  if (rest.length > 0) {
    process.stderr.write(`"catalog ${name}" takes no arguments, but got ${rest.join(' ')}.\n`);
    process.exit(2);
  }
  if (name !== 'version' && !existsSync(threadFile('hash-thread')))
    throw new Error('Catalog is not built yet. Run `npm start`, or `node scripts/build-stale.mjs`, in its folder.');
  await command.run();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  const known = error instanceof DatabaseRefusal || !(error instanceof TypeError || error instanceof ReferenceError);
  process.stderr.write(`${known ? (error as Error).message : (error as Error).stack}\n`);
  process.exit(error instanceof DatabaseRefusal ? 3 : 1);
}
