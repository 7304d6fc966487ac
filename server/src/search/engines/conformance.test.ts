import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Document, Schema } from '@catalog/engine';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { meilisearchProgram, startMeilisearch } from '../../../test/meilisearch-server.ts';
import { settingsForTests } from '../../settings/index.ts';
import { conformanceSchema, engineConformance } from './conformance.ts';
import { embeddedReader, embeddedWriter } from './embedded.ts';
import { type FakeServer, startFakeServer } from './meilisearch/fake-server.fixture.ts';
import { openMeilisearchReader, openMeilisearchWriter } from './meilisearch/index.ts';
import { SearchUnavailable } from './port.ts';
import { vectorConformance, vectorSchema } from './vector-conformance.ts';

const settingsFor = (url: string, more: Record<string, string> = {}) =>
  settingsForTests({
    SVC_SEARCH_URL: url,
    SVC_SEARCH_MASTER_KEY: process.env['TEST_MEILISEARCH_KEY'] ?? 'a master key',
    SVC_SEARCH_INDEX: 'conformance',
    ...more,
  });

async function openEmbedded(schema: Schema) {
  const root = mkdtempSync(path.join(os.tmpdir(), 'catalog-conformance-'));
  const directory = path.join(root, 'items');
  const [reader, writer] = [embeddedReader(directory), embeddedWriter(directory, schema)];
  return {
    reader,
    writer,
    async wipe() {
      await writer.close();
      await reader.close();
      rmSync(directory, { recursive: true, force: true });
    },
    async close() {
      await writer.close();
      await reader.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
engineConformance('the embedded engine', () => openEmbedded(conformanceSchema));
vectorConformance('vectors in the embedded engine', () => openEmbedded(vectorSchema));
vectorConformance('1-bit vectors in the embedded engine', () =>
  openEmbedded({ ...vectorSchema, vector: { name: 'meaning', dimension: 4, quantise: true } }),
);

engineConformance('Meilisearch, as its protocol says', async () => {
  const double = await startFakeServer();
  const settings = settingsFor(double.url);
  return {
    reader: openMeilisearchReader(settings, conformanceSchema),
    writer: openMeilisearchWriter(settings, conformanceSchema),
    wipe: async () => double.wipe(),
    close: () => double.close(),
  };
});

/** A server given by its address, or else one that is started when the program was found. `npm test` says when there is neither. */
const given = process.env['TEST_MEILISEARCH_URL'];
describe.skipIf(!given && !meilisearchProgram)('a real Meilisearch server', () => {
  const openReal = async (schema: Schema) => {
    const own = given ? null : await startMeilisearch(meilisearchProgram!);
    const settings = settingsFor(given ?? own!.url, {
      SVC_SEARCH_INDEX: `conformance_${process.pid}_${schema.version}`,
      ...(own ? { SVC_SEARCH_MASTER_KEY: own.key } : {}),
    });
    const { Meilisearch } = await import('meilisearch');
    const client = new Meilisearch({ host: String(settings.searchUrl), apiKey: settings.searchMasterKey ?? '' });
    const wipe = async () => void (await client.deleteIndex(settings.searchIndex).waitTask());
    return {
      reader: openMeilisearchReader(settings, schema),
      writer: openMeilisearchWriter(settings, schema),
      index: client.index(settings.searchIndex),
      wipe,
      close: own ? own.close : wipe,
    };
  };
  engineConformance(given ? 'given by TEST_MEILISEARCH_URL' : 'started for the test', () => openReal(conformanceSchema));
  vectorConformance('with vectors of the catalog', () => openReal(vectorSchema));

  test('an index that has paths instead of digests needs a rebuild, and filters by scope fail until then', async () => {
    const { reader, writer, index, close } = await openReal({ ...conformanceSchema, version: 3 });
    const stored = { id: 'a', fingerprint: '1', path_scope: 'photos/a.pdf' };
    try {
      await writer.rebuild(pagesOf([]));
      await index.updateSettings({ dictionary: ['catalogdocumentsversion3'], filterableAttributes: ['id', 'path_scope'] }).waitTask();
      await index.addDocuments([{ ...stored, path_scope: ['photos', 'photos/a.pdf'] }]).waitTask();
      expect(await writer.unusable()).toMatchObject({ rebuild: true });
      await expect(reader.search({ filter: { scope: ['photos'] } })).rejects.toMatchObject({ rebuild: true });
      await writer.rebuild(pagesOf([stored]));
      expect(await writer.unusable()).toBeNull();
      expect((await reader.search({ filter: { scope: ['photos'] } })).total).toBe(1);
    } finally {
      await close();
    }
  });
});

async function* pagesOf(documents: Document[]): AsyncGenerator<Document[]> {
  yield documents;
}

describe('a Meilisearch server that misbehaves', () => {
  let double: FakeServer;
  beforeAll(async () => {
    double = await startFakeServer();
  });
  afterAll(() => double.close());
  const open = (more: Record<string, string> = {}) => {
    const settings = settingsFor(double.url, more);
    return { reader: openMeilisearchReader(settings, conformanceSchema), writer: openMeilisearchWriter(settings, conformanceSchema) };
  };
  async function* none() {}

  test.each([
    ['garbage', { status: 200, body: '<html>not me</html>' }],
    ['another shape', { status: 200, body: '{"hello":"world"}' }],
    ['an error', { status: 500, body: '{"message":"x","code":"internal","type":"internal","link":""}' }],
    ['a refused key', { status: 403, body: '{"message":"no","code":"invalid_api_key","type":"auth","link":""}' }],
  ])('%s makes search unavailable, and asks for no rebuild', async (_, answer) => {
    const { reader, writer } = open();
    await writer.rebuild(none());
    double.misbehave(answer);
    const error = await reader.search({ text: 'x' }).catch((each: unknown) => each);
    const refused = await writer.write({ upsert: [{ id: 'a' }], remove: [] }).catch((each: unknown) => each);
    double.misbehave(null);
    expect(error).toBeInstanceOf(SearchUnavailable);
    expect((error as SearchUnavailable).rebuild).toBe(false);
    expect(refused).toBeInstanceOf(SearchUnavailable);
    expect((await reader.search({})).total).toBe(0);
  });

  test('an unreachable server makes search unavailable', async () => {
    const settings = settingsFor('http://127.0.0.1:9');
    await expect(openMeilisearchReader(settings, conformanceSchema).search({})).rejects.toBeInstanceOf(SearchUnavailable);
  });

  test('a write fails when its task failed, and succeeds when the task is still queued after SVC_SEARCH_WRITE_ACK_SECONDS', async () => {
    const { writer } = open({ SVC_SEARCH_WRITE_ACK_SECONDS: '1' });
    await writer.rebuild(none());
    double.failNextWrite();
    await expect(writer.write({ upsert: [{ id: 'a' }], remove: [] })).rejects.toThrow(/disk full/);
    double.stall(true);
    await writer.write({ upsert: [{ id: 'a' }], remove: [] });
    double.stall(false);
    double.failNextWrite();
    // With 0 the write does not wait, so it does not notice the failure.
    await open({ SVC_SEARCH_WRITE_ACK_SECONDS: '0' }).writer.write({ upsert: [{ id: 'a' }], remove: [] });
  });

  test('a refresh waits for writes that were confirmed while they are queued', async () => {
    const { reader, writer } = open({ SVC_SEARCH_WRITE_ACK_SECONDS: '0' });
    await writer.rebuild(none());
    double.stall(true);
    await writer.write({ upsert: [{ id: 'a' }], remove: [] });
    let refreshed = false;
    const refreshing = reader.refresh().then(() => {
      refreshed = true;
    });
    await vi.waitFor(() => expect(double.waiting()).toBeGreaterThan(0), { timeout: 30_000 });
    expect(refreshed).toBe(false);
    double.stall(false);
    // On a slow machine it may have given up before.
    await refreshing.catch(() => reader.refresh());
    double.stall(true);
    await expect(reader.refresh()).rejects.toBeInstanceOf(SearchUnavailable);
    double.stall(false);
  });

  test('unfinished shadow indexes are removed by age; others stay', async () => {
    const { writer } = open();
    double.age('conformance_shadow_old', '2020-01-01T00:00:00Z');
    double.age('conformance_shadow_new', new Date().toISOString());
    double.age('somebody_else', '2020-01-01T00:00:00Z');
    expect(await writer.reapShadows(6 * 3_600_000)).toBe(1);
    expect(double.indexes()).toEqual(expect.arrayContaining(['conformance_shadow_new', 'somebody_else']));
    expect(double.indexes()).not.toContain('conformance_shadow_old');
  });

  test('a field with more values than the server lists is counted bar by bar; its sum is NaN', async () => {
    const { reader, writer } = open();
    const all = Array.from({ length: 1500 }, (_, n) => ({ id: `n${n}`, filename: `pier ${n % 2 === 0 ? 'east' : 'west'}`, size: n }));
    async function* one() {
      yield all;
    }
    await writer.rebuild(one());
    const answer = await reader.search({ text: 'east', stats: ['size'], histograms: [{ field: 'size', bounds: [0, 1000, 1200, 9999] }] });
    expect(answer.histograms['size']).toEqual([500, 100, 150]);
    expect((await reader.search({ stats: ['size'] })).stats['size']).toMatchObject({ min: 0, max: 1499, sum: Number.NaN });
    const bars = await reader.search({
      filter: { range: ['size', { gte: 10 }] },
      histograms: [{ field: 'size', bounds: [0, 1000, 2000] }],
    });
    expect(bars.histograms['size']).toEqual([990, 500]);
    await writer.rebuild(none());
  });

  test('an empty index whose swap failed is not taken for a complete one', async () => {
    const { reader, writer } = open();
    double.wipe();
    double.failNextSwap();
    await expect(writer.rebuild(pagesOf([{ id: 'a' }]))).rejects.toBeInstanceOf(SearchUnavailable);
    expect(await writer.unusable()).toMatchObject({ rebuild: true });
    await writer.rebuild(pagesOf([{ id: 'a' }]));
    expect(await writer.unusable()).toBeNull();
    expect((await reader.search({})).total).toBe(1);
    await writer.rebuild(none());
  });

  test('an index of another version is not usable', async () => {
    const { writer } = open();
    await writer.rebuild(none());
    expect(await openMeilisearchWriter(settingsFor(double.url), { ...conformanceSchema, version: 2 }).unusable()).toMatchObject({
      rebuild: true,
    });
    expect(await writer.unusable()).toBeNull();
  });
});
