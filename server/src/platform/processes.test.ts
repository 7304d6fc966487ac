import { fork } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('a process that is ready after its supervisor has died learns of it and reports no error', async () => {
  const module = fileURLToPath(new URL('./orphan-process.fixture.ts', import.meta.url));
  const child = fork(module, { execArgv: [], stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  child.disconnect();
  const [[code], output, errors] = await Promise.all([once(child, 'exit'), text(child.stdout!), text(child.stderr!)]);
  expect([code, output, errors]).toEqual([0, 'orphaned', '']);
});
