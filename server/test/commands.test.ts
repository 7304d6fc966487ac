import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '../src/platform/database/index.ts';
import { databaseForTest } from './database.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

function catalog(args: string[], env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], SVC_CONFIG_DIR: '/nowhere', ...env },
  });
  return { status, stdout, stderr };
}

function urlOf({ address }: Database): string {
  const { host, port, user, password, database } = address;
  return `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(String(host))}&port=${port}`;
}

test('misuse is named in one sentence and ends with 2', () => {
  for (const name of ['toString', 'chekc']) {
    const { status, stderr } = catalog([name]);
    expect({ status, first: stderr.split('\n')[0] }).toEqual({ status: 2, first: `Unknown command "${name}".` });
  }
  expect(catalog(['agent-release'])).toMatchObject({ status: 2, stderr: 'Usage: catalog agent-release sign FOLDER\n' });
  for (const keep of ['0', '1.5']) {
    const { status, stderr } = catalog(['backup', `--keep=${keep}`]);
    expect({ status, first: stderr.split('\n')[0] }).toEqual({ status: 2, first: `--keep must be a whole number from 1, not "${keep}".` });
  }
}, 120_000);

test('the help lists every command in two columns', () => {
  const rows = catalog(['--help'])
    .stdout.split('\n')
    .filter((line) => line.startsWith('  '));
  expect(rows.length).toBeGreaterThan(8);
  expect(new Set(rows.map((row) => /^ {2}\S+ +/.exec(row)?.[0].length)).size).toBe(1);
});

test('commands that read a catalog say when there is none, and create nothing', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const none = path.join(folder, 'none');
  const env = { SVC_CONFIG_DIR: none, SVC_AUTH_ENABLED: 'false' };
  for (const args of [['check'], ['backup'], ['backup', 'verify', 'x'], ['secrets', 'rotate'], ['mcp']]) {
    const { status, stdout, stderr } = catalog(args, env);
    expect({ status, stdout }, `${args.join(' ')}: ${stderr}`).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`There is no catalog in ${none}. `);
    expect(existsSync(none)).toBe(false);
  }
  const empty = await databaseForTest();
  await empty.pool.query('drop schema public cascade; create schema public');
  const { status, stderr } = catalog(['check'], { ...env, SVC_DATABASE_URL: urlOf(empty) });
  expect({ status, stderr }).toEqual({
    status: 1,
    stderr: expect.stringContaining('There is no catalog in the database of SVC_DATABASE_URL. '),
  });
  expect(existsSync(none)).toBe(false);
}, 120_000);

test('commands that only read a catalog in a database elsewhere need no config folder', async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-commands-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const none = path.join(folder, 'none');
  const full = await databaseForTest();
  // Nobody can create a folder below /proc.
  for (const SVC_CONFIG_DIR of [none, '/proc/catalog/config'])
    for (const args of [['check'], ['mcp']]) {
      const { status, stderr } = catalog(args, { SVC_CONFIG_DIR, SVC_AUTH_ENABLED: 'false', SVC_DATABASE_URL: urlOf(full) });
      expect(status, `${args[0]}: ${stderr}`).toBe(0);
      expect(existsSync(SVC_CONFIG_DIR)).toBe(false);
    }
}, 120_000);
