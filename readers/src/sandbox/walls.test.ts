import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { EscapeResult } from '../../test/escape-task.ts';
import type { TaskOutcome } from './protocol.ts';
import { describeLayers, type SandboxLayer } from './report.ts';

const file = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
const asNobody = ['/usr/bin/setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--'];
const without = (...calls: string[]): string[] => [process.execPath, file('../../test/deny-calls.mjs'), calls.join(',')];
const [landlock, seccomp] = ['444', 'seccomp'];

interface Escape {
  report: SandboxLayer[];
  written: string[];
  result: EscapeResult;
  missing: string[];
}

/** Runs the escape task in a reader of a service that was started with `prefix`. */
async function tryToEscape(prefix: string[]): Promise<Escape> {
  const [program = '', ...args] = [...prefix, process.execPath, '--disable-warning=ExperimentalWarning', file('../../test/escape-main.ts')];
  const { stdout } = await run(program, args, { env: { PATH: '/usr/local/bin:/usr/bin:/bin' }, timeout: 110_000 });
  const { report, written, outcome } = JSON.parse(stdout) as {
    report: SandboxLayer[];
    written: string[];
    outcome: TaskOutcome<EscapeResult>;
  };
  if (!outcome.ok) throw new Error(outcome.message);
  return { report, written, result: outcome.result, missing: report.filter(({ active }) => !active).map(({ name }) => name) };
}

/** Whether another user can run this checkout at all; one below a private home folder cannot be. */
function isPublic(): boolean {
  for (let at = file('.').replace(/\/$/, ''); at !== dirname(at); at = dirname(at)) if ((statSync(at).mode & 0o001) === 0) return false;
  return true;
}

const identities = [
  { who: 'root', prefix: [] as string[], possible: isRoot, kept: '0000000000000004' },
  { who: 'an ordinary user', prefix: isRoot ? asNobody : [], possible: !isRoot || isPublic(), kept: '0000000000000000' },
];

describe.each(identities)('a reader of a service that runs as $who', ({ prefix, possible, kept }) => {
  it.skipIf(!possible)(
    'can neither write, read nor connect outside, nor see or signal other processes, whatever program it starts',
    async ({ skip }) => {
      const { missing, written, result } = await tryToEscape(prefix);
      if (missing.length > 0) skip(`this host does not offer: ${missing.join(', ')}`);
      expect(result.tried).toBeGreaterThan(50);
      expect(result.achieved).toEqual([]);
      expect(written).toEqual([]);
      expect(result.processes).toHaveLength(1);
      expect(result.status).toMatchObject({ CapEff: kept, CapPrm: kept, CapBnd: kept, NoNewPrivs: '1', Seccomp: '2' });
      expect(result.limits).toMatchObject({ RLIMIT_NPROC: 512, RLIMIT_FSIZE: 512 * 1024 * 1024, RLIMIT_NOFILE: 1024, RLIMIT_CORE: 0 });
      if (kept.endsWith('4')) expect(result.uid).toBeGreaterThan(60_000);
    },
  );

  it.skipIf(!possible)(
    'is confined by Landlock and seccomp in a container without namespaces, which the report names',
    async ({ skip }) => {
      const { missing, report, written, result } = await tryToEscape([...prefix, ...without('unshare', 'mount')]);
      if (missing.includes('landlock')) skip('this kernel has no Landlock');
      expect(missing).toEqual(['mounts', 'processes', 'network', 'ipc']);
      expect(report.find(({ name }) => name === 'mounts')).toMatchObject({
        reason: expect.stringContaining('unshare failed'),
        effect: 'Landlock alone keeps readers to the folder of their library.',
      });
      expect(result.achieved).toEqual([]);
      expect(written).toEqual([]);
      expect(result.processes).toEqual([]);
      expect(result.status).toMatchObject({ CapEff: kept, NoNewPrivs: '1', Seccomp: '2' });
    },
  );

  it.skipIf(!possible)('is confined by its namespaces on a kernel without Landlock, which the report names', async ({ skip }) => {
    const { missing, written, result } = await tryToEscape([...prefix, ...without(landlock)]);
    if (missing.includes('mounts')) skip('this host allows no namespaces');
    expect(missing).toEqual(['landlock']);
    expect(result.achieved).toEqual([]);
    expect(written).toEqual([]);
  });
});

it.skipIf(!isPublic())('a host that offers none of it still reads files, and the report says what readers can do', async () => {
  const { missing, report, result } = await tryToEscape([...(isRoot ? asNobody : []), ...without('unshare', 'mount', landlock, seccomp)]);
  expect(missing).toEqual(['mounts', 'processes', 'network', 'ipc', 'landlock', 'seccomp']);
  expect(report.find(({ name }) => name === 'landlock')?.effect).toMatch(/^Readers can read every file that the service can read/);
  expect(report.find(({ name }) => name === 'network')?.effect).toBe('Readers can use the network.');
  // The attempts themselves work: without walls most of them succeed.
  expect(result.achieved.length).toBeGreaterThan(20);
});

it('names no layer that does not apply to this identity', () => {
  const layers = describeLayers({ layers: ['landlock', 'seccomp'], missing: [{ layer: 'mounts', reason: 'no' }] });
  expect(layers.map(({ name, active }) => [name, active])).toEqual([
    ['mounts', false],
    ['landlock', true],
    ['seccomp', true],
  ]);
});
