import { existsSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeTinyModel } from '../../../test/tiny-model.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { createEmbedder } from './create.ts';
import { createLocalEmbedder } from './local/index.ts';
import { type Embedder, EmbedderUnavailable } from './port.ts';
import { createRemoteEmbedder } from './remote.ts';

const similarity = (a: Float32Array, b: Float32Array): number => a.reduce((sum, each, at) => sum + each * b[at]!, 0);
const tiny = writeTinyModel();
const openTiny = (name = 'tiny', threads = 1): Embedder =>
  createLocalEmbedder({ name, folder: async () => tiny, threads, lowPriority: false });

/** A server with the route of OpenAI that computes with the tiny model and records what it was asked. */
const asked: { authorization: string | undefined; input: string[] }[] = [];
let answer: ((input: string[]) => { status: number; body: unknown } | undefined) | null = null;
const behind = openTiny();
const server = http.createServer(async (request, response) => {
  const { input } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as { input: string[] };
  asked.push({ authorization: request.headers.authorization, input });
  const vectors = await behind.embed(input, 'passage');
  const data = vectors.map((vector, index) => ({ index, embedding: [...vector].map((each) => each * 3) })).reverse();
  const { status, body } = answer?.(input) ?? { status: request.url === '/v1/embeddings' ? 200 : 404, body: { data } };
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(async () => {
  server.close();
  await behind.close();
});
const serverUrl = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
const openRemote = (model = 'tiny', apiKey?: string): Embedder => {
  const settings = settingsForTests({ SVC_SEMANTIC_ENABLED: 'true', SVC_EMBED_URL: serverUrl() });
  return createRemoteEmbedder({ outbound: createOutbound({ settings }), url: serverUrl(), model, apiKey });
};

const real = process.env['CATALOG_EMBEDDING_MODEL'];
const adapters: [string, () => Embedder][] = [
  ['the local model', openTiny],
  ['a server', openRemote],
  ...(real && existsSync(real)
    ? [
        ['the real model', () => createLocalEmbedder({ name: 'all-minilm', folder: async () => real, threads: 2, lowPriority: false })] as [
          string,
          () => Embedder,
        ],
      ]
    : []),
];

describe.each(adapters)('an embedder: %s', (_name, open) => {
  let embedder: Embedder;
  beforeAll(() => {
    embedder = open();
  });
  afterAll(() => embedder.close());

  test('returns one vector of length 1 per text, in their order', async () => {
    const texts = ['a boat', 'the invoice', 'our puppy'];
    const vectors = await embedder.embed(texts, 'passage');
    const { dimension } = await embedder.model();
    expect(vectors.map(({ length }) => length)).toEqual([dimension, dimension, dimension]);
    for (const vector of vectors) expect(similarity(vector, vector)).toBeCloseTo(1, 5);
    for (const [at, text] of texts.entries()) expect((await embedder.embed([text], 'passage'))[0]).toEqual(vectors[at]);
    expect(await embedder.embed([], 'passage')).toEqual([]);
  });

  test('texts of the same meaning are nearer than others', async () => {
    const [boat, ship, bill] = (await embedder.embed(['boat', 'ship', 'bill'], 'passage')) as [Float32Array, Float32Array, Float32Array];
    expect(similarity(boat, ship)).toBeGreaterThan(similarity(boat, bill));
  });

  test('any string is accepted; what exceeds the limit is cut', async () => {
    const vectors = await embedder.embed(['', '\0\ud800 \u{1f6a2}', '漢字かな', 'boat '.repeat(20_000)], 'query');
    for (const vector of vectors) expect(similarity(vector, vector)).toBeCloseTo(1, 5);
  });

  test('an aborted call rejects with the reason of its signal', async () => {
    const reason = new Error('stopped');
    await expect(embedder.embed(['boat'], 'passage', AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const running = embedder.embed(
      Array.from({ length: 50 }, () => 'boat '.repeat(300)),
      'passage',
      controller.signal,
    );
    controller.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(await embedder.embed(['boat'], 'passage')).toHaveLength(1);
  });

  test('the fingerprint is the same for the same model', async () => {
    const other = open();
    expect((await other.model()).fingerprint).toBe((await embedder.model()).fingerprint);
    await other.close();
    await expect(other.embed(['boat'], 'passage')).rejects.toBeInstanceOf(EmbedderUnavailable);
    await expect(other.model()).rejects.toBeInstanceOf(EmbedderUnavailable);
  });
});

test('questions get the prefix that the family of the model recommends', async () => {
  const embedder = openRemote('intfloat/e5-small-v2', 'secret');
  asked.length = 0;
  await embedder.embed(['boat'], 'query');
  await embedder.embed(['boat'], 'passage');
  expect(asked).toEqual([
    { authorization: 'Bearer secret', input: ['query: boat'] },
    { authorization: 'Bearer secret', input: ['passage: boat'] },
  ]);
  const bge = openRemote('BAAI/bge-small-en-v1.5');
  await bge.embed(['boat'], 'query');
  expect(asked.at(-1)?.input).toEqual(['Represent this sentence for searching relevant passages: boat']);
});

test('models that differ in name, weights or address have different fingerprints', async () => {
  const embedders = [openTiny(), openTiny('other'), openRemote(), openRemote('other')];
  const prints = await Promise.all(embedders.map(async (each) => (await each.model()).fingerprint));
  expect(new Set(prints).size).toBe(4);
  await Promise.all(embedders.map((each) => each.close()));
});

test('a server that answers something else is reported with what to check', async () => {
  const embedder = openRemote();
  const cases: [{ status: number; body: unknown }, RegExp][] = [
    [{ status: 401, body: {} }, /answered 401\. Check SVC_EMBED_URL/],
    [{ status: 200, body: { data: [] } }, /something other than 1 vectors/],
    [{ status: 200, body: { data: [{ index: 5, embedding: [1] }] } }, /something other/],
    [{ status: 200, body: { data: [{ index: 0, embedding: ['x'] }] } }, /something other/],
  ];
  for (const [reply, message] of cases) {
    answer = () => reply;
    await expect(embedder.embed(['boat'], 'passage')).rejects.toThrow(message);
  }
  answer = null;
  expect(await embedder.embed(['boat'], 'passage')).toHaveLength(1);
});

test('a text that a server rejects is shortened, and costs the others nothing', async () => {
  const embedder = openRemote();
  // About as many tokens as characters, as in Chinese; the model reads 512.
  answer = (input) => (input.some((text) => text.length > 512 || text === 'never') ? { status: 400, body: {} } : undefined);
  const [boat, long] = (await embedder.embed(['boat', '船'.repeat(1500)], 'passage')) as [Float32Array, Float32Array];
  expect(boat).toEqual((await embedder.embed(['boat'], 'passage'))[0]);
  expect(similarity(long, long)).toBeCloseTo(1, 5);
  // The backfill gives this one up and goes on; it would wait for a server that is out of order.
  const failure = await embedder.embed(['never'], 'passage').catch((error: unknown) => error);
  expect(failure).not.toBeInstanceOf(EmbedderUnavailable);
  await expect(embedder.embed(['never'], 'query')).rejects.toBeInstanceOf(EmbedderUnavailable);
  answer = () => ({ status: 400, body: {} });
  await expect(embedder.embed(['boat'], 'passage')).rejects.toBeInstanceOf(EmbedderUnavailable);
  answer = null;
});

test('a model that cannot be loaded is reported, and the next call tries again', async () => {
  let folder = '/nowhere';
  const embedder = createLocalEmbedder({ name: 'tiny', folder: async () => folder, threads: 2, lowPriority: true });
  await expect(embedder.embed(['boat'], 'passage')).rejects.toThrow(/no ONNX weights/);
  folder = tiny;
  expect(await embedder.embed(['boat'], 'passage')).toHaveLength(1);
  await embedder.close();
});

test('off means that no model is ever loaded and nothing is sent', async () => {
  const embedder = createEmbedder(settingsForTests({ SVC_SEMANTIC_ENABLED: 'false', SVC_EMBED_URL: serverUrl() }), { background: false });
  asked.length = 0;
  await expect(embedder.model()).rejects.toThrow(/Set SVC_SEMANTIC_ENABLED/);
  await expect(embedder.embed(['boat'], 'query')).rejects.toBeInstanceOf(EmbedderUnavailable);
  expect(asked).toEqual([]);
});
