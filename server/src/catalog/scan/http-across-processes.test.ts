import { mkdirSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { pathBytes } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { assembleApp } from '../../assembly/app.ts';
import { connect } from '../../platform/database/index.ts';
import { addLibrary, inline, tree } from './library.fixture.ts';
import { performScan, scanDependencies } from './run.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a scan requested in one process and performed in another can be followed from a third, with its estimate', async () => {
  const database = connect(t.deps.database.address);
  const beside = await assembleApp({ ...t.deps, db: database.db, database }, { strictResponses: true });
  const worker = connect(t.deps.database.address);
  try {
    await beside.listen({ port: 0, host: '127.0.0.1' });
    const { port } = beside.server.address() as AddressInfo;
    const library = await addLibrary(t.deps.db, tree({ 'a/1.txt': 'x', 'b/2.txt': 'y' }));
    for (const time of ['first', 'second']) {
      const { scan_id } = (await t.request('POST', `/libraries/${library}/scan`)).json();
      const answer = await fetch(`http://127.0.0.1:${port}/api/v1/scans/${scan_id}/events`, {
        headers: { authorization: `Bearer ${t.keys.read}` },
      });
      const performed = performScan(scanDependencies({ db: worker.db, ...inline, options: {} }), scan_id);
      const told = [...(await answer.text()).matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, event, data]) => ({
        event,
        data: JSON.parse(data!),
      }));
      await performed;
      await sql`update jobs set state = 'succeeded', finished_at = now() where state = 'todo'`.execute(t.deps.db);
      const estimate = time === 'first' ? null : { seen: 2, seconds: expect.any(Number), share: 1 };
      expect(told.at(-1)).toMatchObject({ event: 'done', data: { status: 'finished', seen: 2, stalled: false, estimate } });
    }
  } finally {
    await beside.close();
    await database.close();
    await worker.close();
  }
});

test('names that are not UTF-8, hold newlines or quotes, or differ only in case or normal form are listed and exported unchanged', async () => {
  const root = tree();
  const library = await addLibrary(t.deps.db, root);
  const perform = async (): Promise<string> => {
    const { scan_id } = (await t.request('POST', `/libraries/${library}/scan`)).json();
    await performScan(scanDependencies({ db: t.deps.db, ...inline, options: {} }), scan_id);
    await sql`update jobs set state = 'succeeded', finished_at = now() where state = 'todo'`.execute(t.deps.db);
    return scan_id;
  };
  const before = await perform();
  const names = [
    Buffer.from('caf\xe9.txt', 'latin1'),
    Buffer.from('café.txt'),
    Buffer.from('cafe\u0301.txt'),
    Buffer.from('two\nlines\r\ttab.txt'),
    Buffer.from('Case.txt'),
    Buffer.from('case.txt'),
    Buffer.from('quote"back\\slash\u2028.txt'),
  ];
  mkdirSync(`${root}/in`);
  for (const name of names) writeFileSync(Buffer.concat([Buffer.from(`${root}/in/`), name]), name);
  const after = await perform();
  const wanted = names.map((name) => Buffer.concat([Buffer.from('in/'), name]).toString('hex')).sort();
  const bytes = (paths: string[]): string[] => paths.map((path) => pathBytes(path).toString('hex')).sort();

  const exported = (await t.request('GET', `/scans/${before}/diff/${after}?format=ndjson`)).body.trimEnd().split('\n');
  expect(bytes(exported.map((line) => (JSON.parse(line) as { rel_path: string }).rel_path))).toEqual(wanted);
  const listed = (await t.request('GET', `/items?library_id=${library}&rel_path=in/`)).json().items as { id: string; rel_path: string }[];
  expect(bytes(listed.map(({ rel_path }) => rel_path))).toEqual(wanted);
  for (const { id, rel_path } of listed) {
    expect((await t.request('GET', `/items/${id}`)).json().rel_path).toBe(rel_path);
    const explained = await t.request('GET', `/libraries/${library}/explain?path=${encodeURIComponent(rel_path)}`);
    expect(explained.json()).toMatchObject({ item: { id, status: 'active' } });
  }
});
