import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, test } from 'vitest';
import type { Policy } from './policy.ts';
import { readEverythingAgain } from './read-again.ts';
import { openStore, type Store } from './store.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-read-again-'));
const root = '/data';
const policy = { extract_enabled: true } as Policy;
let store: Store;
let number = 0;

beforeEach(() => {
  store?.close();
  number += 1;
  store = openStore(path.join(folder, `${number}.db`));
  const facts = { size: 4, mtime_ns: '1', inode: '1', device: 1, links: 1, ctime_ns: null, symlink_target: null };
  const hashes = { quick_hash: 'q', content_hash: null, policy_version: null, hash_error: null, acl: null, allocated: null };
  for (const name of ['a.pdf', 'b.pdf', 'new.pdf', 'none.xyz']) store.put('files', root, { dir: '', name, ...facts, ...hashes });
  for (const name of ['a.pdf', 'b.pdf']) read(name, `bytes:pdf@1:pdf:facts`);
  read('none.xyz', 'bytes:none:xyz:facts');
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

const read = (name: string, key: string): void => {
  store.run('delete from unread where name = ?', name);
  store.run('insert or replace into reads (root, dir, name, key) values (?, ?, ?, ?)', root, '', name, key);
};
const waiting = () => store.all<{ name: string }>('select name from unread order by name').map(({ name }) => name);
const keys = () => store.all<{ name: string; key: string }>('select name, key from reads order by name').map(({ key }) => key);
const command = (payload: object) => ({ id: `c${number}`, kind: 'reextract', status: 'picked_up', payload: { ...payload } });
/** `turn` is called while the command waits for the reader. */
const run = (payload: object, turn: () => void, signal = new AbortController().signal, id?: string) =>
  readEverythingAgain(
    store,
    [root],
    policy,
    { ...command(payload), ...(id ? { id } : {}) },
    {
      signal,
      progress: () => {},
      wait: async () => turn(),
    },
  );
const readAll = () => {
  for (const name of waiting()) read(name, 'bytes:pdf@1:pdf:facts');
};

test('only files that were never read, or with force all that a reader takes', async () => {
  const seen: string[][] = [];
  const turn = () => {
    seen.push(waiting());
    readAll();
  };
  expect(await run({}, turn)).toEqual({ files: 1 });
  expect(await run({ force: true }, turn, undefined, 'second')).toEqual({ files: 3 });
  expect(await run({ force: true, max_items: 2 }, turn, undefined, 'third')).toEqual({ files: 2 });
  expect(seen).toEqual([['new.pdf'], ['a.pdf', 'b.pdf', 'new.pdf'], ['a.pdf', 'b.pdf']]);
});

test('a cancelled command leaves what was read as it was', async () => {
  const before = keys();
  const stop = new AbortController();
  await expect(run({ force: true }, () => stop.abort(), stop.signal)).rejects.toThrow();
  expect(keys()).toEqual(before);
  // It was never read, so it waits anyway.
  expect(waiting()).toEqual(['new.pdf']);
});

test('a command that is delivered again goes on with what is left', async () => {
  let turns = 0;
  const dies = () => {
    turns += 1;
    if (turns > 1) throw new Error('killed');
    read('a.pdf', 'bytes:pdf@1:pdf:facts');
  };
  await expect(run({ force: true }, dies)).rejects.toThrow('killed');
  expect(waiting()).toEqual(['b.pdf', 'new.pdf']);
  expect(await run({ force: true }, readAll)).toEqual({ files: 3 });
  expect(waiting()).toEqual([]);
});

test('where the rules do not allow reading, it says so', async () => {
  const refused = readEverythingAgain(store, [root], { extract_enabled: false } as Policy, command({}), {
    signal: new AbortController().signal,
    progress: () => {},
    wait: async () => {},
  });
  await expect(refused).rejects.toThrow('do not let it read');
});
