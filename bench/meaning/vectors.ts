// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the list it is used on
import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndex, type Filter, openReader, openWriter, type Schema } from '../../engine/src/index.ts';
import { nextMessage } from '../api/service.ts';
import type { Row } from '../row.ts';
import { dimension, vectorOf } from './generated-vectors.ts';

const queries = 40;
const near = 10;
const schema: Schema = {
  version: 1,
  text: [],
  keyword: [{ name: 'part' }],
  number: [],
  sortable: [],
  vector: { name: 'meaning', dimension, quantise: true },
};
/** From 0 to 99, without relation to the groups of the row. */
const percentOf = (row: number): number => Math.floor(((Math.imul(row + 1, 2_654_435_761) >>> 0) / 2 ** 32) * 100);
const filters: [string, Filter | undefined, (row: number) => boolean][] = [
  ['1 %', { eq: ['part', 'one'] }, (row) => percentOf(row) === 0],
  ['10 %', { in: ['part', ['one', 'ten']] }, (row) => percentOf(row) < 10],
  ['100 %', undefined, () => true],
];

const partOf = (percent: number): string => (percent === 0 ? 'one' : percent < 10 ? 'ten' : 'rest');

/** p95 and recall of the ten nearest under filters, and the memory of the codes. */
export async function measureVectors(count: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-meaning-'));
  const directory = join(folder, 'index');
  try {
    await buildIndex(directory, schema, count);
    const { vector: _, ...withoutVectors } = schema;
    await buildIndex(join(folder, 'plain'), withoutVectors, count);
    const asked = Array.from({ length: queries }, (_, at) => vectorOf(count + at * 37));
    const exact = nearestExactly(count, asked);
    const memory = await memoryOfVector(directory, join(folder, 'plain'), count);
    const reader = await openReader(directory);
    await reader.search({ vector: { near: asked[0]!, ratio: 1 }, limit: near });
    const rows: Row[] = [];
    for (const [at, [name, filter]] of filters.entries()) {
      const times: number[] = [];
      let found = 0;
      for (const [n, vector] of asked.entries()) {
        const started = performance.now();
        const { hits } = await reader.search({ vector: { near: vector, ratio: 1 }, limit: near, ...(filter ? { filter } : {}) });
        times.push(performance.now() - started);
        const wanted = new Set(exact[at]![n]);
        found += hits.filter(({ id }) => wanted.has(id)).length / wanted.size;
      }
      times.sort((a, b) => a - b);
      const recall = found / queries;
      const p95 = times[Math.ceil(times.length * 0.95) - 1]!;
      rows.push({
        name: `nearest of ${count.toLocaleString('en')} vectors, filter ${name}, p95`,
        value: Math.round(p95 * 100) / 100,
        unit: 'ms',
        peer: '',
        ratio: null,
        limit: '≤ 20 ms at recall@10 ≥ 0.95',
        ok: recall >= 0.95 && (count < 1_000_000 || p95 <= 20),
        detail: `recall@10 ${recall.toFixed(3)}, median ${times[times.length >> 1]!.toFixed(2)} ms`,
      });
    }
    await reader.close();
    const whole = dimension * 4 + 4;
    rows.push({
      name: 'memory of a vector in the index',
      value: memory,
      unit: 'bytes',
      peer: `${whole} bytes without quantisation`,
      ratio: Math.round((memory / whole) * 1000) / 1000,
      limit: '≤ 120 bytes',
      // In a small index, the memory of the process varies more than the vectors take.
      ok: count < 100_000 || memory <= 120,
      detail: 'growth of a process that opens the index and searches it, less that with the same documents without vectors',
    });
    return rows;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildIndex(directory: string, own: Schema, count: number): Promise<void> {
  await createIndex(directory, own);
  const writer = await openWriter(directory, own);
  for (let from = 0; from < count; from += 5000) {
    const rows = Array.from({ length: Math.min(5000, count - from) }, (_, at) => from + at);
    const documents = rows.map((row) => ({ id: idOf(row), part: partOf(percentOf(row)) }));
    await writer.upsert(own.vector ? documents.map((each, at) => ({ ...each, meaning: vectorOf(from + at) })) : documents);
  }
  await writer.commit();
  await writer.close();
}

async function memoryOfVector(directory: string, plain: string, count: number): Promise<number> {
  const growth = async (index: string, size: number): Promise<number> => {
    const child = fork(new URL('reader-memory-process.ts', import.meta.url), [index, String(size)]);
    const { grown } = await nextMessage<{ grown: number }>(child);
    return grown;
  };
  return Math.round(((await growth(directory, dimension)) - (await growth(plain, 0))) / count);
}

const idOf = (row: number): string => `v${String(row).padStart(8, '0')}`;

/** The ids of the nearest by comparing everything, for each filter and query. */
function nearestExactly(count: number, asked: readonly Float32Array[]): string[][][] {
  const best = filters.map(() => asked.map(() => [] as { id: string; score: number }[]));
  for (let row = 0; row < count; row++) {
    const vector = vectorOf(row);
    for (const [n, query] of asked.entries()) {
      let score = 0;
      for (let at = 0; at < dimension; at++) score += query[at]! * vector[at]!;
      for (const [at, [, , passes]] of filters.entries()) {
        const list = best[at]![n]!;
        if (!passes(row) || (list.length === near && list.at(-1)!.score >= score)) continue;
        list.push({ id: idOf(row), score });
        list.sort((a, b) => b.score - a.score);
        if (list.length > near) list.pop();
      }
    }
  }
  return best.map((each) => each.map((list) => list.map(({ id }) => id)));
}
