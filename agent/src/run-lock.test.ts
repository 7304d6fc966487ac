import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { lockRun } from './run-lock.ts';

const dataDir = mkdtempSync(path.join(os.tmpdir(), 'catalog-agent-lock-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

test('one agent runs per folder, and the lock of a killed one does not block', async () => {
  const text = `import { lockRun } from ${JSON.stringify(path.join(import.meta.dirname, 'run-lock.ts'))};
    lockRun(${JSON.stringify(dataDir)}); console.log('locked'); setInterval(() => {}, 1000);`;
  const other = spawn(process.execPath, ['--strip-types', '--input-type=module', '--eval', text], {
    env: { ...process.env, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await once(other.stdout, 'data');
    expect(() => lockRun(dataDir)).toThrow(`An agent already runs with this folder (process ${other.pid},`);
  } finally {
    other.kill('SIGKILL');
    await once(other, 'exit');
  }
  const first = lockRun(dataDir);
  expect(() => lockRun(dataDir)).toThrow(`(process ${process.pid},`);
  first.release();
  lockRun(dataDir).release();
});
