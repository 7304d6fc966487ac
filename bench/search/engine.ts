import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIndex, openReader, openWriter } from '../../engine/src/index.ts';
import type { Document, Query, IndexReader, Schema, IndexWriter } from '../../engine/src/types.ts';
import { type FileRecord, recordAt, recordBatches } from './corpus.ts';
import type { Figures, Task } from './figures.ts';
import { readFloorMs } from './floor.ts';
import { type ClassName, classes, makeQuestions, type Question } from './questions.ts';
import { cpuSeconds, spread, timeEach } from './timing.ts';

const schema: Schema = {
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

function documentOf(record: FileRecord): Document {
  return { ...record, label: record.name, where: `${record.library}/${record.folder}/${record.name}` };
}

const names = ['name', 'folder'];
const active = { eq: ['status', 'active'] as [string, string] };

/** The query that stands for a class of the table. */
export function queryOf(name: ClassName, { text, library, category }: Question): Query {
  switch (name) {
    case 'one word':
    case 'two words':
    case 'one typo':
      return { text, fields: names, prefix: false };
    case 'prefix':
      return { text, fields: names };
    case 'all fields':
      return { text };
    case 'filter + 4 facets':
      return { text, fields: names, filter: active, facets: ['library', 'category', 'group', { field: 'tags', limit: 300 }] };
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

async function sizeOf(directory: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return bytes;
}

export async function buildEngine({ size, directory }: Task): Promise<Figures> {
  await createIndex(directory, schema);
  const writer = await openWriter(directory, schema);
  let writing = 0;
  let cpu = 0;
  // As for its peers, what making the records costs is not counted.
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now();
    const before = cpuSeconds();
    await work();
    writing += performance.now() - start;
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
    docsPerSecond: (size / writing) * 1000,
    docsPerCpuSecond: size / cpu,
    diskBytes: await sizeOf(directory),
  };
}

export async function askEngine({ size, directory }: Task): Promise<Figures> {
  const questions = makeQuestions(size);
  globalThis.gc?.();
  const resident = process.memoryUsage().rss;
  const start = performance.now();
  const reader = await openReader(directory);
  await reader.search({ text: 'a' });
  const openMs = performance.now() - start;
  const figures: Figures = { classes: {}, openMs };
  const only = process.env['BENCH_CLASSES']?.split(',');
  for (const name of classes) {
    if (only !== undefined && !only.includes(name)) continue;
    figures.classes[name] = await timeEach(questions[name], async (question) => (await reader.search(queryOf(name, question))).total);
  }
  globalThis.gc?.();
  figures.bytesPerDocument = (process.memoryUsage().rss - resident) / size;
  figures.floorMs = await readFloorMs((size / 8) * 60);
  const mixed = classes.flatMap((name) => questions[name].slice(0, 30).map((question) => queryOf(name, question)));
  figures.concurrent = await askTogether(reader, mixed, 50);
  const writer = await openWriter(directory, schema);
  figures.upsertMs = await upsertVisible(writer, reader, size);
  figures.merge = await askDuringMerge(writer, reader, mixed);
  await writer.close();
  await reader.close();
  return figures;
}

async function askTogether(reader: IndexReader, queries: Query[], callers: number): Promise<{ p95: number; perSecond: number }> {
  const times: number[] = [];
  const start = performance.now();
  const end = start + 5000;
  let turn = 0;
  const caller = async () => {
    while (performance.now() < end) {
      const query = queries[(turn++ * 7919) % queries.length]!;
      const asked = performance.now();
      await reader.search(query);
      times.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: callers }, caller));
  return { p95: spread(times).p95, perSecond: times.length / ((performance.now() - start) / 1000) };
}

async function upsertVisible(writer: IndexWriter, reader: IndexReader, size: number): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const mark = `zzupd${'abcde'[round]}`;
    const documents = Array.from({ length: Math.min(1000, size) }, (_, index) => {
      const record = recordAt((round * 1000 + index) % size);
      return documentOf({ ...record, name: `${mark} ${record.name}` });
    });
    const start = performance.now();
    await writer.upsert(documents);
    await writer.commit();
    await reader.refresh();
    const { total } = await reader.search({ text: `"${mark}"`, fields: ['name'] });
    times.push(performance.now() - start);
    if (total !== documents.length) throw new Error(`Of ${documents.length} upserts ${total} are visible.`);
  }
  return times.sort((a, b) => a - b)[2]!;
}

async function askDuringMerge(writer: IndexWriter, reader: IndexReader, queries: Query[]): Promise<Figures['merge']> {
  const ask = async (until: () => boolean) => {
    const times: number[] = [];
    for (let turn = 0; !until() || times.length < queries.length; turn++) {
      const start = performance.now();
      await reader.search(queries[(turn * 7919) % queries.length]!);
      times.push(performance.now() - start);
    }
    return spread(times).p95;
  };
  const quietEnd = performance.now() + 3000;
  const quietP95 = await ask(() => performance.now() > quietEnd);
  let merged = false;
  const start = performance.now();
  let seconds = 0;
  const merge = writer.compact().then(() => {
    merged = true;
    seconds = (performance.now() - start) / 1000;
  });
  await sleep(0);
  const duringP95 = await ask(() => merged);
  await merge;
  return { quietP95, duringP95, seconds };
}
