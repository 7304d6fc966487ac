import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { settingsForTests } from '../../../settings/index.ts';
import { conformanceSchema } from '../conformance.ts';
import { SearchUnavailable } from '../port.ts';
import { closing, found, fakeNode as node } from './fake-node.fixture.ts';
import { openOpenSearchReader, openOpenSearchWriter } from './index.ts';

const open = (url: string, more: Record<string, string> = {}) => {
  const settings = settingsForTests({
    SVC_SEARCH_ENGINE: 'opensearch',
    SVC_SEARCH_URL: url,
    SVC_SEARCH_MASTER_KEY: 'catalog:secret',
    ...more,
  });
  return { reader: openOpenSearchReader(settings, conformanceSchema), writer: openOpenSearchWriter(settings, conformanceSchema) };
};
test.each([
  ['garbage', { status: 200, body: '<html>not me</html>' }],
  ['another shape', { status: 200, body: { hello: 'world' } }],
  ['a refused password', { status: 401, body: { error: 'Unauthorized' } }],
  ['an error', { status: 500, body: { error: { reason: 'out of memory' } } }],
])('%s makes search unavailable, and asks for no rebuild', async (_, answer) => {
  const { reader, writer } = open(await node(() => answer));
  for (const work of [() => reader.search({ text: 'x' }), () => writer.write({ upsert: [{ id: 'a' }], remove: [] })]) {
    const error = await work().catch((each: unknown) => each);
    expect(error).toBeInstanceOf(SearchUnavailable);
    expect((error as SearchUnavailable).rebuild).toBe(false);
  }
});

test.each([
  ['that failed', { total: 2, successful: 1, failed: 1 }],
  ['whose only copy was lost', { total: 2, successful: 1, failed: 0 }],
])('a response without the documents of a shard %s is never used: the search is repeated, then unavailable', async (_, _shards) => {
  let failing = 1;
  const { reader } = open(await node(() => ({ status: 200, body: found(7, failing-- > 0 ? { _shards } : {}) })));
  expect((await reader.search({ text: 'x' })).total).toBe(7);
  failing = 2;
  await expect(reader.search({ text: 'x' })).rejects.toThrow(/1 shards of the search index did not answer/);
});

test('a search that reached its time limit is degraded, by meaning too', async () => {
  const limits: string[] = [];
  const { reader } = open(
    await node(({ body }) => {
      limits.push(JSON.parse(body).timeout);
      return { status: 200, body: found(1, { timed_out: limits.length === 1 }) };
    }),
  );
  expect((await reader.search({ text: 'x', deadlineMs: 250 })).degraded).toBe(true);
  expect((await reader.search({ text: 'x', deadlineMs: 250 })).degraded).toBe(false);
  limits.length = 0;
  expect((await reader.search({ text: 'x', deadlineMs: 250, vector: { near: Float32Array.of(1, 0), ratio: 0.5 } })).degraded).toBe(true);
  expect(limits.slice(0, 2)).toEqual(['250ms', '250ms']);
});

test('documents that the cluster is too busy for are sent again, the others are not', async () => {
  const sent: number[] = [];
  const { writer } = open(
    await node(({ body }) => {
      const operations = body.trim().split('\n').length / 2;
      sent.push(operations);
      const items = Array.from({ length: operations }, (_, at) => ({ index: { status: sent.length === 1 && at > 0 ? 429 : 201 } }));
      return { status: 200, body: { items } };
    }),
  );
  await writer.write({ upsert: [{ id: 'a' }, { id: 'b' }, { id: 'c' }], remove: [] });
  expect(sent).toEqual([3, 2]);
});

test('a refused document fails the write', async () => {
  const refusal = { index: { status: 400, error: { type: 'mapper_parsing_exception', reason: 'bad point' } } };
  const { writer } = open(await node(() => ({ status: 200, body: { items: [refusal] } })));
  await expect(writer.write({ upsert: [{ id: 'a' }], remove: [] })).rejects.toThrow(/bad point/);
});

test('a node that does not answer is left for the next one of SVC_SEARCH_NODES', async () => {
  const second = await node(() => ({ status: 200, body: found(5) }));
  const { reader } = open('http://127.0.0.1:9', { SVC_SEARCH_NODES: second });
  expect((await reader.search({})).total).toBe(5);
});

test('an index that lacks documents after a rebuild is not put into use', async () => {
  const paths: string[] = [];
  const { writer } = open(
    await node(({ method, path, body }) => {
      paths.push(`${method} ${path.replace(/shadow_\w+/, 'shadow')}`);
      if (path.includes('_bulk')) return { status: 200, body: { items: [{ index: { status: 201 } }] } };
      if (path.includes('_count')) return { status: 200, body: { count: 0, _shards: { total: 2, successful: 2, failed: 0 } } };
      return { status: 200, body: body === '' ? {} : { acknowledged: true } };
    }),
  );
  async function* one() {
    yield [{ id: 'a' }];
  }
  await expect(writer.rebuild(one())).rejects.toThrow(/has 0 of 1 documents/);
  expect(paths).toContain('DELETE /items_shadow');
  expect(paths).not.toContain('POST /_aliases');
});

test('a swap whose answer was lost has put the new index into use, and does not delete it', async () => {
  let aliased = 'items_shadow_old';
  const deleted: string[] = [];
  const { writer } = open(
    await node(({ method, path, body }) => {
      if (path.includes('_bulk')) return { status: 200, body: { items: [{ index: { status: 201 } }] } };
      if (path.includes('_count')) return { status: 200, body: { count: 1, _shards: { total: 2, successful: 2, failed: 0 } } };
      if (path === '/items/_mapping') return { status: 200, body: { [aliased]: { mappings: {} } } };
      if (path === '/_aliases') {
        const [{ remove_index: old }, { add }] = JSON.parse(body).actions;
        if (old.index !== aliased) return { status: 404, body: { error: { type: 'index_not_found_exception', reason: 'no such index' } } };
        aliased = add.index;
        // The alias was moved, but the node fails before it answers.
        return { status: 503, body: { error: { reason: 'going down' } } };
      }
      if (method === 'DELETE') deleted.push(path);
      return { status: 200, body: { acknowledged: true } };
    }),
  );
  async function* one() {
    yield [{ id: 'a' }];
  }
  expect(await writer.rebuild(one())).toEqual({ documents: 1 });
  expect(aliased).not.toBe('items_shadow_old');
  expect(deleted).toEqual([]);
});

test('a compaction is begun once and waited for as long as SVC_SEARCH_COMPACTION_WAIT_S says', async () => {
  let merges = 0;
  const slow = createServer((request, response) => {
    if (request.url?.includes('_forcemerge')) merges += 1;
    else response.end(JSON.stringify({ _all: { primaries: {} } }));
  });
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => slow.closeAllConnections(),
    () => slow.close(),
  );
  const { writer } = open(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`, { SVC_SEARCH_COMPACTION_WAIT_S: '1' });
  await writer.compact();
  expect(merges).toBe(1);
});

test('the password is sent as basic authentication', async () => {
  let header: string | undefined;
  const server = createServer((request, response) => {
    header = request.headers.authorization;
    response.end(JSON.stringify(found(0)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  await open(`http://127.0.0.1:${(server.address() as AddressInfo).port}`).reader.search({});
  expect(Buffer.from(String(header).replace('Basic ', ''), 'base64').toString()).toBe('catalog:secret');
});
