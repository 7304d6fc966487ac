import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIndex, openReader, openWriter } from '../../engine/src/index.ts';
import { createMemory, loadKernels } from '../../engine/src/kernels/index.ts';
import type { Document, IndexReader, IndexWriter, Query, Schema } from '../../engine/src/types.ts';
import { type FileRecord, recordAt, recordBatches } from './corpus.ts';
import { cpuSeconds, latencyOf, type Measurements, type MeasureOptions, timeEach } from './measurements.ts';
import { type BenchQuery, makeQueries, type QueryClass, queryClasses } from './queries.ts';

export const schema: Schema = {
  version: 1,
  text: [{ name: 'name', infix: true }, { name: 'folder' }, { name: 'body' }],
  keyword: [
    { name: 'library' },
    { name: 'category' },
    { name: 'group' },
    { name: 'status' },
    { name: 'tags', multi: true },
    { name: 'principals', multi: true },
  ],
  number: ['size', 'mtime'],
  sortable: ['label'],
  geo: 'place',
  scope: 'where',
};

export function documentOf(record: FileRecord): Document {
  return { ...record, label: record.name, where: `${record.library}/${record.folder}/${record.name}` };
}

const nameFields = ['name', 'folder'];
const active = { eq: ['status', 'active'] as [string, string] };

export function engineQuery(name: QueryClass, { text, library, category }: BenchQuery): Query {
  switch (name) {
    case 'one word':
    case 'two words':
    case 'one typo':
      return { text, fields: nameFields, prefix: false };
    case 'prefix':
      return { text, fields: nameFields };
    case 'all fields':
      return { text };
    case 'filter + 4 facets':
      return { text, fields: nameFields, filter: active, facets: ['library', 'category', 'group', { field: 'tags', limit: 300 }] };
    case 'browse + 60 values':
      return { filter: active, facets: ['library', 'category', 'group'] };
    case 'browse + 300 tags':
      return { filter: active, facets: [{ field: 'tags', limit: 300 }] };
    case 'sort + filter':
      return {
        filter: { and: [active, { eq: ['library', library] }, { eq: ['category', category] }] },
        sort: [{ field: 'mtime', order: 'desc' }],
      };
    case 'infix':
      return { text, fields: ['name'], prefix: false };
  }
}

async function directorySize(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

export async function buildIndex({ size, directory }: MeasureOptions): Promise<Measurements> {
  await createIndex(directory, schema);
  const writer = await openWriter(directory, schema);
  let writeMs = 0;
  let cpu = 0;
  // Excludes the time to generate the records, as for the other systems.
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    const before = cpuSeconds();
    await work();
    writeMs += performance.now() - start;
    cpu += cpuSeconds() - before;
  };
  for (const records of recordBatches(size)) {
    const documents = records.map(documentOf);
    await timed(() => writer.upsert(documents));
  }
  await timed(() => writer.commit());
  await timed(() => writer.close());
  return {
    classes: {},
    docsPerSecond: (size / writeMs) * 1000,
    docsPerCpuSecond: size / cpu,
    diskBytes: await directorySize(directory),
  };
}

export async function measureEngine({ size, directory }: MeasureOptions): Promise<Measurements> {
  const queries = makeQueries(size);
  globalThis.gc?.();
  const rssBefore = process.memoryUsage().rss;
  const start = performance.now();
  const reader = await openReader(directory);
  await reader.search({ text: 'a' });
  const openMs = performance.now() - start;
  const result: Measurements = { classes: {}, openMs };
  const only = process.env['BENCH_CLASSES']?.split(',');
  for (const name of queryClasses) {
    if (only !== undefined && !only.includes(name)) continue;
    result.classes[name] = await timeEach(queries[name], async (query) => (await reader.search(engineQuery(name, query))).total);
  }
  globalThis.gc?.();
  result.bytesPerDocument = (process.memoryUsage().rss - rssBefore) / size;
  result.minReadMs = await measureMinRead((size / 8) * 60);
  const mixed = queryClasses.flatMap((name) => queries[name].slice(0, 30).map((query) => engineQuery(name, query)));
  result.concurrent = await measureConcurrent(reader, mixed, 50);
  const writer = await openWriter(directory, schema);
  result.upsertMs = await measureUpsert(writer, reader, size);
  result.merge = await measureDuringMerge(writer, reader, mixed);
  await writer.close();
  await reader.close();
  return result;
}

/** Visits the queries in a fixed order that mixes the classes. */
const pickQuery = (queries: Query[], turn: number): Query => queries[(turn * 7919) % queries.length] ?? {};

async function measureConcurrent(reader: IndexReader, queries: Query[], callers: number): Promise<{ p95: number; perSecond: number }> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + 5000;
  let turn = 0;
  const caller = async () => {
    while (performance.now() < end) {
      const query = pickQuery(queries, turn++);
      const sent = performance.now();
      await reader.search(query);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { p95: latencyOf(times).p95, perSecond: times.length / ((performance.now() - start) / 1000) };
}

/** Milliseconds until 1,000 upserted documents are found, median of five. */
async function measureUpsert(writer: IndexWriter, reader: IndexReader, size: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const marker = `zzupd${'abcde'[round]}`;
    const documents = Array.from({ length: Math.min(1000, size) }, (_, index) => {
      const record = recordAt((round * 1000 + index) % size);
      return documentOf({ ...record, name: `${marker} ${record.name}` });
    });
    const start = performance.now();
    await writer.upsert(documents);
    await writer.commit();
    await reader.refresh();
    const { total } = await reader.search({ text: `"${marker}"`, fields: ['name'] });
    times.push(performance.now() - start);
    if (total !== documents.length) throw new Error(`${total} of ${documents.length} upserted documents are visible.`);
  }
  return latencyOf(times).p50;
}

async function measureDuringMerge(writer: IndexWriter, reader: IndexReader, queries: Query[]): Promise<Measurements['merge']> {
  const searchUntil = async (isDone: () => boolean) => {
    const times: number[] = [];
    for (let turn = 0; !isDone() || times.length < queries.length; turn++) {
      const start = performance.now();
      await reader.search(pickQuery(queries, turn));
      times.push(performance.now() - start);
    }
    return latencyOf(times).p95;
  };
  const idleEnd = performance.now() + 3000;
  const idleP95 = await searchUntil(() => performance.now() > idleEnd);
  let merged = false;
  const start = performance.now();
  let seconds = 0;
  const merge = writer.compact().then(() => {
    merged = true;
    seconds = (performance.now() - start) / 1000;
  });
  await sleep(0);
  const duringP95 = await searchUntil(() => merged);
  await merge;
  return { idleP95, duringP95, seconds };
}

/** The minimum time in which this machine can read so many bytes: p95 of the best of three, as for the queries. */
async function measureMinRead(bytes: number): Promise<number> {
  const blocks = Math.ceil(bytes / 16);
  const memory = createMemory(blocks * 16 + 65_536);
  const kernels = loadKernels(memory);
  kernels.setRange(0, 0, blocks * 128);
  return (await timeEach(Array.from({ length: 30 }), () => kernels.popcount(0, blocks))).p95;
}
