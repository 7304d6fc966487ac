import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findThumbnailer, type SandboxPool } from '@catalog/readers';
import { createHasher } from '@catalog/scanner';
import { afterAll, expect, test } from 'vitest';
import type { Client } from './client.ts';
import { drawSome, startDrawing } from './drawing.ts';
import type { Pace } from './pace.ts';
import type { Policy } from './policy.ts';
import type { Readers } from './readers-package.ts';
import { scanRoot } from './scan.ts';
import { openStore } from './store.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-drawing-'));
const root = path.join(folder, 'files');
const scanPolicy = { presets: [], exclude_globs: [], include_globs: [], content_hash_max_bytes: 1e9 };
const policy = { ...scanPolicy, thumbs_enabled: true, thumb_grid_px: 320, thumb_preview_px: 800 } as unknown as Policy;
const readers = { findThumbnailer, thumbnailers: [] } as unknown as Readers;
const hasher = createHasher({ threads: 1 });
const store = openStore(path.join(folder, 'index.sqlite'));
afterAll(async () => {
  await hasher.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const scan = () => scanRoot(store, root, policy, { hasher });
/** Draws what waits, and returns the paths whose pictures were sent. */
async function draw(): Promise<string[]> {
  const sent: string[] = [];
  const client = {
    send: async (_method: string, _path: string, { body }: { body: { rel_path: string } }) => void sent.push(body.rel_path),
  } as unknown as Client;
  const pool = {
    run: async () => ({ ok: true, result: { grid: new Uint8Array(1), preview: new Uint8Array(1) } }),
  } as unknown as SandboxPool;
  const pace = { turn: async () => {}, add: () => {} } as unknown as Pace;
  const drawing = { readers, pool, policy, pace, signal: new AbortController().signal };
  while ((await drawSome(store, client, drawing)) > 0);
  return sent.sort();
}
function writePictures(...names: string[]): void {
  mkdirSync(root, { recursive: true });
  for (const name of names) writeFileSync(path.join(root, name), `picture ${name}`);
}

test('files are drawn when their disk comes back, although it was away when it was their turn', async () => {
  writePictures('a.png', 'b.png');
  await scan();
  startDrawing(store, readers, policy);
  renameSync(root, `${root} away`);
  expect(await draw()).toEqual([]);
  await expect(scan()).rejects.toThrow();
  expect(await draw()).toEqual([]);
  renameSync(`${root} away`, root);
  await scan();
  expect(await draw()).toEqual(['a.png', 'b.png']);
  await scan();
  expect(await draw()).toEqual([]);
});

test('a file that is moved while it waits to be drawn is drawn at its new place', async () => {
  writePictures('c.png');
  await scan();
  store.run('insert into undrawn (root, dir, name) values (?, ?, ?)', root, '', 'c.png');
  mkdirSync(path.join(root, 'new'));
  renameSync(path.join(root, 'c.png'), path.join(root, 'new/c.png'));
  expect(await scan()).toMatchObject({ moved: 1 });
  expect(await draw()).toEqual(['new/c.png']);
});
