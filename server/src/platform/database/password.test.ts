import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedServer, embeddedAddress, startEmbedded } from './embedded.ts';

const small = { durable: false, settings: { shared_buffers: '16MB' } };
let folder = '';
let server: EmbeddedServer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-password-'));
  server = await startEmbedded({ folder: path.join(folder, 'pg'), ...small });
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function ask(question: string, given: { password?: string; user?: string }): Promise<unknown> {
  const client = new pg.Client({ host: server.host, port: server.port, user: 'catalog', database: 'postgres', ...given });
  try {
    await client.connect();
    return (await client.query(question)).rows[0];
  } finally {
    await client.end().catch(() => {});
  }
}

test('the embedded database asks for a password, which only its owner can read', async () => {
  const file = path.join(folder, 'pg', 'password');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file, 'utf8').trim()).toBe(server.password);
  expect(embeddedAddress(path.join(folder, 'pg'))).toMatchObject({ password: server.password });
  expect(await ask('select 1 as one', { password: server.password })).toEqual({ one: 1 });
  await expect(ask('select 1', { password: 'wrong' })).rejects.toThrow(/password authentication failed/);
  await expect(ask('select 1', { password: server.password, user: 'postgres' })).rejects.toThrow(/no pg_hba.conf entry/);
  expect(readFileSync(path.join(folder, 'pg', 'data', 'pg_hba.conf'), 'utf8')).not.toContain('trust');
});

test('a data folder that trusted everybody keeps its data and asks for a password after the next start', async () => {
  await ask('create table kept as select 7 as value', { password: server.password });
  await server.stop();
  rmSync(path.join(folder, 'pg', 'password'));
  writeFileSync(path.join(folder, 'pg', 'data', 'pg_hba.conf'), 'local all all trust\n');
  const before = server.password;
  server = await startEmbedded({ folder: path.join(folder, 'pg'), ...small });
  expect(server.password).not.toBe(before);
  expect(await ask('select value from kept', { password: server.password })).toEqual({ value: 7 });
  await expect(ask('select 1', { password: before })).rejects.toThrow(/password authentication failed/);
});
