import { expect, test } from 'vitest';
import { settingsForTests } from '../../../settings/index.ts';
import { conformanceSchema } from '../conformance.ts';
import { fakeNode, found } from './fake-node.fixture.ts';
import { openOpenSearchReader } from './index.ts';

const open = (url: string) =>
  openOpenSearchReader(settingsForTests({ SVC_SEARCH_ENGINE: 'opensearch', SVC_SEARCH_URL: url }), conformanceSchema);
const idOf = (text: string): string => Buffer.from(text).toString('base64url');
/** Two hits where one is requested, so that another page follows. */
const twoHits = { hits: { total: { value: 9 }, hits: ['a', 'b'].map((id) => ({ _id: id, _score: null, sort: [id] })) } };

test('a page that continues opens a snapshot, and each page uses the id of the last response', async () => {
  const used: (string | null)[] = [];
  const deleted: string[] = [];
  const reader = open(
    await fakeNode(({ method, path, body }) => {
      if (path.includes('point_in_time') && method === 'POST') return { status: 200, body: { pit_id: idOf('first id') } };
      if (method === 'DELETE') {
        deleted.push(...JSON.parse(body).pit_id);
        return { status: 200, body: {} };
      }
      const { pit } = JSON.parse(body);
      used.push(pit?.id ?? null);
      const isLast = used.length === 4;
      return { status: 200, body: found(9, { ...(isLast ? {} : twoHits), ...(pit ? { pit_id: idOf(`after ${used.length}`) } : {}) }) };
    }),
  );
  let after: string | null = null;
  do after = (await reader.search({ limit: 1, ...(after ? { after } : {}) })).after;
  while (after);
  expect(used).toEqual([null, idOf('first id'), idOf('after 2'), idOf('after 3')]);
  await reader.close();
  expect(deleted).toEqual([idOf('after 4')]);
});

test.each([
  ['expired', { status: 404, body: { error: { root_cause: [{ type: 'search_context_missing_exception' }] } } }],
  ['of an index that was replaced', { status: 404, body: { error: { root_cause: [{ type: 'index_not_found_exception' }] } } }],
  ['of which a shard failed', { status: 200, body: found(4, { _shards: { total: 2, successful: 1, failed: 1 } }) }],
  ['of which a node was lost', { status: 200, body: found(4, { _shards: { total: 2, successful: 1, failed: 0 } }) }],
])('a snapshot %s is reported as an expired cursor', async (_, answer) => {
  const reader = open(
    await fakeNode(({ path, body }) => {
      if (path.includes('point_in_time')) return { status: 200, body: { pit_id: idOf('id') } };
      return JSON.parse(body).pit ? answer : { status: 200, body: found(9, twoHits) };
    }),
  );
  const { after } = await reader.search({ limit: 1 });
  await expect(reader.search({ limit: 1, after: String(after) })).rejects.toMatchObject({ code: 'cursor_expired' });
});

test('a cluster that keeps too many snapshots continues by sort values', async () => {
  const reader = open(
    await fakeNode(({ path, body }) => {
      if (path.includes('point_in_time'))
        return { status: 429, body: { error: { reason: 'Trying to create too many Point In Time contexts.' } } };
      const { search_after: start } = JSON.parse(body);
      return { status: 200, body: found(1, start?.[0] === 'a' ? {} : twoHits) };
    }),
  );
  const { after } = await reader.search({ limit: 1 });
  expect((await reader.search({ limit: 1, after: String(after) })).total).toBe(1);
});
