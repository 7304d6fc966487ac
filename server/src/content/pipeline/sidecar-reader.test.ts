import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { createSidecarReader } from './sidecar-reader.ts';

// The parsers fail in this process, so results below must come from a child process.
vi.mock('../../../../readers/src/sidecars/nfo.ts', () => ({
  parseNfo: () => {
    throw new Error('The worker parsed a file itself.');
  },
}));
vi.mock('../../../../readers/src/sidecars/player.ts', () => ({
  parsePlayerSidecar: () => {
    throw new Error('The worker parsed a file itself.');
  },
}));

const root = mkdtempSync(path.join(os.tmpdir(), 'catalog-sidecars-'));
const readers: { close(): void }[] = [];
afterEach(() => {
  for (const reader of readers.splice(0)) reader.close();
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function open(task?: URL) {
  const reader = createSidecarReader(task);
  readers.push(reader);
  return reader;
}

test('a sidecar is parsed in the sandbox, never by the worker itself', async () => {
  writeFileSync(path.join(root, '-film.nfo'), '<movie><title>Das Boot</title><year>1981</year></movie>');
  writeFileSync(path.join(root, 'film_JRSidecar.xml'), '<MPL><Item><Field Name="Name">Das Boot</Field></Item></MPL>');
  const { read } = open();
  expect(await read(root, '-film.nfo', 'nfo')).toMatchObject({ title: 'Das Boot', year: 1981, raw: { nfo_title: 'Das Boot' } });
  expect(await read(root, 'film_JRSidecar.xml', 'player')).toMatchObject({ title: 'Das Boot' });
});

test('a sidecar that is no such file gives null, unlike one that cannot be read', async () => {
  writeFileSync(path.join(root, 'art.nfo'), 'ascii art of a scene release');
  const { read } = open();
  expect([await read(root, 'gone.nfo', 'nfo'), await read(root, 'art.nfo', 'nfo')]).toEqual(['unreadable', null]);
});

test('a sidecar that crashes its reader gives null, and the worker survives', async () => {
  const { read } = open(new URL('../../../../readers/test/misbehaving-task.ts', import.meta.url));
  expect(await read(root, '-film.nfo', 'nfo')).toBeNull();
});
