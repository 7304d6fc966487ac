import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createIndex, openReader, openWriter } from '../../engine/src/index.ts';
import type { Document, Filter, Query, Schema } from '../../engine/src/types.ts';
import type { Row } from '../row.ts';
import { recordAt } from '../search/corpus.ts';
import { type Latency, timeEach } from '../search/measurements.ts';
import { makeQueries } from '../search/queries.ts';
import { seeded } from '../search/random.ts';

const schema: Schema = {
  version: 1,
  text: [{ name: 'filename', infix: true }],
  keyword: [{ name: 'status' }, { name: 'perm_class' }],
  number: ['mtime'],
  sortable: [],
  scope: 'where',
};
const batch = 10_000;
/** One class for the files of each person, and classes that groups of people can read. */
const people = 10_000;
const shared = 500;

/**
 * Searches by principal, as the service sends them: the classes whose files the person can read, with and without a word, and the number of
 * files by class, from which facets of owners and readers are made. File names and words are those of the search benchmark.
 */
export async function searchByPrincipal(size: number): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-principals-'));
  try {
    await createIndex(folder, schema);
    const writer = await openWriter(folder, schema);
    const random = seeded(23);
    for (let from = 0; from < size; from += batch)
      await writer.upsert(Array.from({ length: Math.min(batch, size - from) }, (_, at) => documentAt(from + at)));
    await writer.commit();
    await writer.close();
    const reader = await openReader(folder);
    try {
      const queries = makeQueries(size)['one word'].map(({ text }) => ({ text, person: random.below(people) }));
      const measure = (toQuery: (text: string, readable: Filter) => Query): Promise<Latency> =>
        timeEach(queries, async ({ text, person }) => (await reader.search({ limit: 50, ...toQuery(text, readableBy(person)) })).total);
      return [
        row(
          'search by principal, newest first, p95',
          await measure((_, filter) => ({ filter, sort: [{ field: 'mtime', order: 'desc' }] })),
        ),
        row('search by principal and a word, p95', await measure((text, filter) => ({ filter, text }))),
        row('files of a word by owner, p95', await measure((text) => ({ filter: active, text, facets: [everyClass] }))),
      ];
    } finally {
      await reader.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Half of the files lie in folders of one person, the others in shared ones. */
function documentAt(n: number): Document {
  const access = n % 2 === 0 ? Math.floor(n / 20) % people : people + (Math.floor(n / 200) % shared);
  return {
    id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
    fingerprint: 'f',
    filename: recordAt(n).name,
    status: 'active',
    perm_class: String(access),
    mtime: n,
    where: `library/folder-${Math.floor(n / 100)}/${n}`,
  };
}

const active: Filter = { eq: ['status', 'active'] };
const everyClass = { field: 'perm_class', limit: 100_000 };
const readableBy = (person: number): Filter => ({ and: [active, { in: ['perm_class', classesOf(person)] }] });

/** Their own class and every tenth shared one. */
const classesOf = (person: number): string[] => [
  String(person),
  ...Array.from({ length: shared / 10 }, (_, at) => String(people + at * 10 + (person % 10))),
];

const row = (name: string, { p95, cpuP95, hits }: Latency): Row => ({
  name,
  value: Math.round(p95 * 100) / 100,
  unit: 'ms',
  peer: '',
  ratio: null,
  limit: '≤ 15 ms',
  ok: p95 <= 15,
  detail: `best of three; CPU time ${cpuP95.toFixed(1)} ms, ${Math.round(hits).toLocaleString('en')} files on average`,
});
