import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { nodeCommand } from './node-command.ts';
import { limitsOf } from './plan.ts';
import { launchLine } from './probe.ts';

const empty = fileURLToPath(new URL('./launcher/empty.mjs', import.meta.url));

test('a module runs in a new process with options of Node', () => {
  const [program, ...args] = nodeCommand(empty, ['--max-old-space-size=128']);
  expect(Number(execFileSync(program as string, args, { env: {}, encoding: 'utf8' }))).toBeGreaterThan(1000);
});

test('without any layer of the sandbox, as on other systems, a reader is started directly', () => {
  const command = nodeCommand(empty);
  const limits = limitsOf(1e9, false);
  const plan = {
    layers: [],
    command,
    environment: {},
    entries: [],
    viewRoot: '/',
    scratch: '/',
    user: null,
    keepReading: false,
    nice: 0,
    limits,
  };
  expect(launchLine(plan)).toEqual(command);
});
