import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { createHasher } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';

const program = path.resolve(import.meta.dirname, `../../dist/agent-dist/catalog-agent-${process.platform}-${process.arch}`);
const isBuilt = existsSync(program);
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-executable-'));
let t: TestApp;

beforeAll(async () => {
  if (!isBuilt) return;
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await t?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs without Node, modules or sources of this machine. */
const agent = (...args: string[]) =>
  promisify(execFile)(program, ['--data-dir', path.join(folder, 'data'), ...args], { cwd: '/', env: { PATH: '/nowhere', HOME: folder } });

test.skipIf(!isBuilt)(
  `the single executable enrols, scans, hashes as the service does and reports its files${isBuilt ? '' : ' (skipped: run "npm run agent:build" first)'}`,
  async () => {
    const root = path.join(folder, 'files');
    mkdirSync(path.join(root, 'a'), { recursive: true });
    const file = path.join(root, 'a', 'one.txt');
    writeFileSync(file, 'one');
    const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
    const url = `http://127.0.0.1:${(t.app.server.address() as AddressInfo).port}`;
    await agent('enrol', '--url', url, '--token', token, '--root', root);
    await agent('scan');
    expect((await agent('push')).stdout).toMatch(/Sent \d+ changes/);
    const { rows } = await sql<{ rel_path: string; content_hash: string }>`select rel_path, content_hash from items`.execute(t.deps.db);
    const hasher = createHasher({ threads: 1 });
    const [own] = await hasher.hash([{ path: file, size: 3, mtimeNs: String(statSync(file, { bigint: true }).mtimeNs), content: true }]);
    await hasher.close();
    expect(rows.map(({ rel_path }) => rel_path)).toEqual(['a/one.txt']);
    expect(own).toMatchObject({ content: rows[0]?.content_hash });
  },
  120_000,
);
