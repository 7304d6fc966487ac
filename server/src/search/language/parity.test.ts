import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createIndex, openReader, openWriter } from '@catalog/engine';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { documentsAfter, itemsSchema } from '../documents/index.ts';
import { indexFilter, parseQuery, queryCondition } from './index.ts';

const now = new Date('2026-03-10T12:00:00Z');
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-parity-'));
let database: Database;
const libraries: string[] = [];

beforeAll(async () => {
  database = await cloneDatabase();
  libraries.push(await addLibrary(database, { name: 'Photos', expose_gps: true }), await addLibrary(database, { name: 'My Studio' }));
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const folders = ['', 'a', 'a/b', 'ab', 'a/b/c', 'Ünï côde'];
const anItem = fc.record({
  library: fc.nat(1),
  folder: fc.constantFrom(...folders),
  extension: fc.constantFrom('.jpg', '.jpeg', '.pdf', '.PDF', ''),
  kind: fc.constantFrom('image', 'document', 'video'),
  group: fc.constantFrom('pdf', 'raster-photo'),
  status: fc.constantFrom('active', 'missing', 'trashed'),
  size: fc.constantFrom(0, 1, 1023, 1024, 1025, 10_485_760, 5_000_000_000),
  day: fc.constantFrom('1969-07-20', '2021-12-31', '2022-01-01', '2024-02-29', '2026-03-01', '2026-03-10'),
  tags: fc.subarray(['print', 'web', 'Print', 'two words', 'p*']),
  year: maybe(fc.constantFrom(1999, 2020, 2024)),
  width: maybe(fc.constantFrom(100, 4000, 4000.5, '4000')),
  taken: maybe(fc.constantFrom('2023-06-30T23:30:00-07:00', '2023-07-01T00:00:00', '2023-02-31T00:00:00', '2199-01-01T00:00:00', 'x', 7)),
  iso: maybe(fc.constantFrom(100, 200, '400')),
  camera: maybe(fc.constantFrom('Nikon Z6', 'nikon z6', 'Canon', 'año')),
  gps: maybe(fc.constantFrom(60.39)),
  genres: maybe(fc.subarray(['rock', 'Jazz'])),
  client: maybe(fc.constantFrom('Acme', 'acme', 'Borg', '7', 7, true)),
  due: maybe(fc.constantFrom('2024-05-01', '2025-01-01')),
  error: fc.boolean(),
  hash: maybe(fc.constantFrom('abcdef0123456789', 'abcdef9123456789')),
});
type Sample = typeof anItem extends fc.Arbitrary<infer T> ? T : never;

const leafTexts = [
  'kind:image',
  'kind:image;video',
  'group:pdf',
  'ext:jpg',
  'ext:jpg;pdf',
  'ext:jp*',
  'ext:*',
  'path:a',
  'path:a/b',
  'path:A',
  'path:*/b',
  'path:a/*/c',
  'path:**c',
  'path:"Ünï côde"',
  'tag:print',
  'tag:print;web',
  'tag:p*',
  'tag:"p*"',
  'tag:"two words"',
  'hash:abcdef01',
  'hash:abcdef91',
  'size:0',
  'size:>1k',
  'size:>=1k',
  'size:<1k',
  'size:1..1k',
  'size:10m..',
  'modified:<30d',
  'modified:>30d',
  'modified:2022..2024',
  'modified:2021',
  'modified:<1970',
  'modified:2024-02-29',
  'taken:2023-06',
  'taken:>2023-06-30',
  'camera:"Nikon Z6"',
  'camera:*on*',
  'created:today',
  'created:<1h',
  'created:>2020',
  'is:missing',
  'is:active;trashed',
  'is:sidecar',
  'has:error',
  'has:tags',
  'has:notes',
  'has:text',
  'library:photos',
  'library:"my studio"',
  'library:my*',
  'library:none',
  'year:2020',
  'year:>2000',
  'year:1999..2020',
  'meta.width:>100',
  'meta.width:4000',
  'meta.width:100..4000',
  'meta.width:*',
  'meta.iso:>100',
  'meta.iso:400',
  'meta.camera:"NIKON z6"',
  'meta.camera:nik*',
  'meta.camera:*',
  'meta.genre:jazz',
  'meta.exif.gps_latitude:>0',
  'meta.*:canon',
  'meta.exif.*:60.39',
  'cf.client:acme',
  'cf.client:7',
  'cf.client:>5',
  'cf.client:true',
  'cf.client:*',
  'cf.due:<2024-06-01',
  'cf.due:2024-05-01',
  'cf.nothing:x',
];
const { expression } = fc.letrec<{ expression: string; leaf: string; branch: string }>((tie) => ({
  leaf: fc.constantFrom(...leafTexts),
  branch: fc.oneof(
    tie('leaf'),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} OR ${b})`),
    fc.tuple(tie('expression'), tie('expression')).map(([a, b]) => `(${a} ${b})`),
    tie('expression').map((inside) => `NOT (${inside})`),
    tie('leaf').map((inside) => `-${inside}`),
  ),
  expression: fc.oneof({ maxDepth: 3, withCrossShrink: true }, tie('leaf'), tie('branch')),
}));

async function fill(samples: readonly Sample[]): Promise<void> {
  await sql`delete from items`.execute(database.db);
  for (const [at, each] of samples.entries())
    await addItem(database, libraries[each.library]!, `${each.folder ? `${each.folder}/` : ''}file ${at}${each.extension}`, {
      file_category: each.kind,
      file_group: each.group,
      status: each.status as 'active',
      size: each.size,
      mtime: new Date(`${each.day}T12:00:00Z`),
      tags: each.tags,
      year: each.year ?? null,
      content_hash: each.hash ?? null,
      metadata: {
        ...(each.width === undefined ? {} : { width: each.width }),
        ...(each.taken === undefined ? {} : { taken_at: each.taken }),
        ...(each.iso === undefined ? {} : { iso: each.iso }),
        ...(each.camera === undefined ? {} : { camera: each.camera }),
        ...(each.gps === undefined ? {} : { exif: { gps_latitude: each.gps, gps_longitude: 5 } }),
        ...(each.genres === undefined ? {} : { genre: each.genres }),
        ...(each.error ? { _extract_error: 'broken' } : {}),
      },
      user_metadata: {
        ...(each.client === undefined ? {} : { client: each.client }),
        ...(each.due === undefined ? {} : { due: each.due }),
      },
    });
}

test('index and SQL return the same items for every filter expression', async () => {
  let counter = 0;
  let compared = 0;
  const seen = new Set<string>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(anItem, { minLength: 4, maxLength: 14 }),
      fc.array(expression, { minLength: 40, maxLength: 40 }),
      async (samples, expressions) => {
        await fill(samples);
        counter += 1;
        const directory = path.join(folder, String(counter));
        await createIndex(directory, itemsSchema);
        const writer = await openWriter(directory, itemsSchema);
        await writer.upsert(await documentsAfter(database.db, null, 100));
        await writer.commit();
        await writer.close();
        const reader = await openReader(directory);
        try {
          for (const text of [...expressions, ...leafTexts]) {
            const parsed = parseQuery(text, { now });
            const filter = {
              and: await Promise.all(parsed.filters.map((each) => indexFilter(each, { db: database.db, within: sql<boolean>`true` }))),
            };
            const byIndex = (await reader.search({ filter, limit: 100 })).hits.map(({ id }) => id).sort();
            const bySql = (
              await sql<{ id: string }>`select i.id from items i where ${queryCondition(parsed)} order by i.id`.execute(database.db)
            ).rows.map(({ id }) => id);
            expect(byIndex, text).toEqual(bySql);
            compared += 1;
            if (bySql.length > 0 && bySql.length < samples.length) seen.add(text);
          }
        } finally {
          await reader.close();
        }
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
  // The comparison proves something only if most expressions match some items, not all or none.
  expect(seen.size).toBeGreaterThan(30);
  expect(compared).toBeGreaterThan(300);
});
