import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { databaseForTest } from './database.ts';
import { freePort, temporaryFolder, until } from './service.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
const place = temporaryFolder();
afterAll(() => place.remove());

test.each(['app', 'worker'])('the %s process ends by itself after the stop signal, because process.exit can wait forever', async (name) => {
  const { host, port, user, password, database } = (await databaseForTest()).address;
  // A process that calls process.exit although it could end without it goes on.
  const preload = path.join(place.folder, 'no-exit.mjs');
  writeFileSync(
    preload,
    `import { isMainThread } from 'node:worker_threads';
if (isMainThread) process.exit = () => void process.stderr.write('process.exit was called\\n');`,
  );
  const child = fork(main, [name], {
    env: {
      PATH: process.env['PATH'],
      SVC_CONFIG_DIR: path.join(place.folder, name),
      SVC_PORT: String(await freePort()),
      SVC_AUTH_ENABLED: 'false',
      SVC_DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`,
    },
    execArgv: ['--import', preload],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  try {
    let isReady = false;
    child.once('message', (message) => (isReady = message === 'ready'));
    await until(() => isReady || child.exitCode !== null, 'the process to be ready');
    child.kill('SIGTERM');
    await until(() => child.exitCode !== null || output.includes('process.exit was called'), 'the process to end');
    expect(output).not.toContain('process.exit was called');
    expect(await ended).toBe(0);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
});
