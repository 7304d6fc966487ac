import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
let root: string;
let library: string;
beforeAll(async () => {
  t = await createTestApp({ SVC_DIGEST_MAX_BYTES: '1000' });
  root = mkdtempSync(path.join(os.tmpdir(), 'catalog-digests-'));
  library = await addLibrary(t.deps, { root_path: root });
});
afterAll(async () => {
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

const of = (name: string, text: string) => createHash(name).update(text).digest('hex');
const digests = async (id: string, query = '', as = 'write') =>
  (await t.request('POST', `/items/${id}/digests${query}`, undefined, { as })).json();

test('MD5 and SHA-256 are computed on demand, cached, and recomputed when the file changes', async () => {
  writeFileSync(`${root}/a.txt`, 'abc');
  const id = await addItem(t.deps, library, 'a.txt');
  const both = { md5: of('md5', 'abc'), sha256: of('sha256', 'abc') };
  expect(await digests(id)).toEqual({ id, digests: both, computed: ['md5', 'sha256'] });
  expect(await digests(id)).toEqual({ id, digests: both, computed: [] });
  expect(await digests(id, '?algorithms=sha1,MD5')).toEqual({
    id,
    digests: { sha1: of('sha1', 'abc'), md5: both.md5 },
    computed: ['sha1'],
  });
  expect((await t.request('GET', `/items/${id}`)).json().metadata.digests).toMatchObject(both);
  writeFileSync(`${root}/a.txt`, 'other');
  expect(await digests(id, '?algorithms=md5')).toEqual({ id, digests: { md5: of('md5', 'other') }, computed: ['md5'] });
});

test('an unknown algorithm, a file above the size limit, a missing file and a symlink are refused', async () => {
  writeFileSync(`${root}/big`, 'x'.repeat(1001));
  symlinkSync('big', `${root}/link`);
  const [big, gone, link] = [
    await addItem(t.deps, library, 'big'),
    await addItem(t.deps, library, 'gone'),
    await addItem(t.deps, library, 'link'),
  ];
  expect(await digests(big, '?algorithms=crc32')).toMatchObject({ status: 422, errors: [{ loc: ['query', 'algorithms'] }] });
  expect(await digests(big)).toMatchObject({ status: 413, code: 'file_too_large' });
  expect(await digests(gone)).toMatchObject({ status: 409, code: 'file_gone' });
  expect(await digests(link)).toMatchObject({ status: 409, code: 'file_gone' });
  const { key } = await addPerson(t.deps, []);
  expect(await digests(big, '', key)).toMatchObject({ status: 404 });
});

test('many concurrent requests all get a response', async () => {
  const ids = await Promise.all(
    Array.from({ length: 7 }, (_, n) => {
      writeFileSync(`${root}/many${n}`, `${n}`);
      return addItem(t.deps, library, `many${n}`);
    }),
  );
  const answers = await Promise.all(ids.map((id) => digests(id, '?algorithms=md5')));
  expect(answers.map((answer) => answer.digests.md5)).toEqual(ids.map((_, n) => of('md5', `${n}`)));
});
