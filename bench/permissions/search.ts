import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createIndex, openReader, openWriter } from '../../engine/src/index.ts';
import type { Document, Filter, Schema } from '../../engine/src/types.ts';
import type { Row } from '../row.ts';
import { type Latency, timeEach } from '../search/measurements.ts';
import { seeded } from '../search/random.ts';

const schema: Schema = {
  version: 1,
  text: [{ name: 'filename', infix: true }],
  keyword: [{ name: 'status' }, { name: 'perm_class' }],
  number: ['mtime'],
  sortable: [],
  scope: 'where',
};
const words = Array.from({ length: 3000 }, (_, n) => `w${n.toString(36)}ord`);
const batch = 10_000;
/** One class for the files of each person, and classes that groups of people can read. */
const people = 10_000;
const shared = 500;
const searches = 200;

/** Searches by principal, as the service sends them: the classes whose files the person can read, with and without a word. */
export async function searchByPrincipal(size: number): Promise<Row[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-principals-'));
  try {
    await createIndex(folder, schema);
    const writer = await openWriter(folder, schema);
    const random = seeded(23);
    for (let from = 0; from < size; from += batch)
      await writer.upsert(Array.from({ length: Math.min(batch, size - from) }, (_, at) => documentAt(from + at, random)));
    await writer.commit();
    await writer.close();
    const reader = await openReader(folder);
    try {
      const measure = (text: boolean): Promise<Latency> =>
        timeEach(
          Array.from({ length: searches }, () => ({ person: random.below(people), word: random.pick(words) })),
          async ({ person, word }) => {
            const filter: Filter = { and: [{ eq: ['status', 'active'] }, { in: ['perm_class', classesOf(person)] }] };
            return (await reader.search({ ...(text ? { text: word } : { sort: [{ field: 'mtime', order: 'desc' }] }), filter, limit: 50 }))
              .total;
          },
        );
      return [
        row('search by principal, newest first, p95', await measure(false)),
        row('search by principal and a word, p95', await measure(true)),
      ];
    } finally {
      await reader.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Half of the files lie in folders of one person, the others in shared ones. */
function documentAt(n: number, random: ReturnType<typeof seeded>): Document {
  const access = n % 2 === 0 ? Math.floor(n / 20) % people : people + (Math.floor(n / 200) % shared);
  return {
    id: `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`,
    fingerprint: 'f',
    filename: `${random.pick(words)} ${random.pick(words)}.dat`,
    status: 'active',
    perm_class: String(access),
    mtime: n,
    where: `library/folder-${Math.floor(n / 100)}/${n}`,
  };
}

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
