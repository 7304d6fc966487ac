/** Runs the escape task in a reader of this process's identity and prints the result with the report of the sandbox. For tests only. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits } from '../src/contract.ts';
import { hideFromReaders } from '../src/sandbox/launch.ts';
import { createSandboxPool } from '../src/sandbox/pool.ts';
import { sandboxReport } from '../src/sandbox/report.ts';
import type { EscapeResult, EscapeTargets } from './escape-task.ts';

const folder = mkdtempSync(join(tmpdir(), 'catalog-escape-'));
const at = (...names: string[]): string => join(folder, ...names);
for (const name of ['library', 'other', 'library/config', 'outside']) mkdirSync(at(name), { mode: 0o777 });
// The operator's umask must not be what stops an attempt.
for (const name of ['.', 'library', 'other', 'outside']) chmodSync(at(name), 0o777);
for (const name of ['library/given.txt', 'other/file.txt', 'library/config/key', 'outside/file.txt']) {
  writeFileSync(at(name), 'catalog-secret');
  chmodSync(at(name), name.includes('given') && process.getuid?.() === 0 ? 0o600 : 0o666);
}
const open = (server: ReturnType<typeof createServer>, where: string | number): Promise<void> =>
  new Promise((resolve) => (typeof where === 'string' ? server.listen(where, resolve) : server.listen(where, '127.0.0.1', resolve)));
const [database, abstract, tcp] = [createServer(), createServer(), createServer()];
await open(database, at('outside/socket'));
chmodSync(at('outside/socket'), 0o777);
await open(abstract, `\0catalog-escape-${process.pid}`);
await open(tcp, 0);

hideFromReaders([at('library/config')]);
const report = await sandboxReport();
const pool = createSandboxPool({ size: 1, background: false, tasks: { escape: new URL('./escape-task.ts', import.meta.url) } });
const job = {
  path: at('library/given.txt'),
  filename: 'given.txt',
  extension: 'txt',
  size: 14,
  root: at('library'),
  limits: defaultLimits,
};
const targets: EscapeTargets = {
  secrets: ['/etc/shadow', at('other/file.txt'), at('library/config/key'), at('outside/file.txt'), `/proc/${process.pid}/environ`],
  writes: [at('library/new.txt'), at('library/given.txt'), at('other/new.txt'), at('outside/new.txt'), at('library/config/new')],
  socket: at('outside/socket'),
  port: (tcp.address() as { port: number }).port,
  pid: process.pid,
};
const outcome = await pool.run<EscapeResult>('escape', job, targets);
pool.close();
const written = targets.writes.filter((path) => existsSync(path) && readFileSync(path, 'utf8') !== 'catalog-secret');
for (const server of [database, abstract, tcp]) server.close();
rmSync(folder, { recursive: true, force: true });
console.log(JSON.stringify({ report, outcome, written }));
