import { afterAll, beforeAll, expect, test } from 'vitest';
import { sessionCookie } from '../../../test/app.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

let t: IndexedApp;
let docs: string;
beforeAll(async () => {
  t = await createIndexedApp({ SVC_SEARCH_SCOPE_FILTER_CEILING: '40' });
  docs = await t.addLibrary('Docs');
  await t.addItems(docs, [{ path: 'a/ledger.pdf' }, { path: 'b/ledger.pdf' }, { path: 'z/ledger.pdf' }]);
  await t.waitForIndex();
});
afterAll(() => t.close());

test('a scope filter above SVC_SEARCH_SCOPE_FILTER_CEILING is rejected, never shortened; one below it works', async () => {
  await t.request('POST', '/auth/bootstrap', { username: 'ann', password: 'long enough' }, { as: null });
  const eve = (await t.request('POST', '/auth/users', { username: 'eve', password: 'long enough', global_role: 'viewer' })).json();
  const headers = sessionCookie(await t.request('POST', '/auth/login', { username: 'eve', password: 'long enough' }, { as: null }));
  const allow = (rel_path: string) =>
    t.request('POST', '/rbac/grants', {
      subject_kind: 'principal',
      subject_id: eve.id,
      library_id: docs,
      rel_path,
      action: 'search_metadata',
      effect: 'allow',
    });
  const asEve = async (path: string) => (await t.request('GET', path, undefined, { as: null, headers })).json();
  // Without grants the filter matches nothing.
  expect((await asEve('/search?q=ledger')).total).toBe(0);
  for (const folder of ['a', 'b', 'c', 'd']) await allow(folder);
  expect((await asEve('/search?q=ledger')).total).toBe(2);
  await allow('e');
  for (const path of ['/search?q=ledger', '/search/tags?q=l', '/search/federated?q=ledger'])
    expect(await asEve(path), path).toMatchObject({ status: 422, code: 'scope_filter_too_long' });
});
