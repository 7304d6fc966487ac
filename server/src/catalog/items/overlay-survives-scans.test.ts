import { copyFileSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { openPrincipal } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { addLibrary, scan, tree, write } from '../scan/library.fixture.ts';
import { type OverlayPatch, patchOverlay } from './overlay.ts';

/** Long test runs use 10,000 operations or more. */
const operations = process.env['CATALOG_LONG_TESTS'] ? 10_000 : 500;
const perRun = 50;

const folders = ['', 'a', 'a/b', 'c'];
const names = ['1.jpg', '2.jpg', '3.txt'];
const place = fc.tuple(fc.constantFrom(...folders), fc.constantFrom(...names)).map(([folder, name]) => path.join(folder, name));
const any = fc.nat({ max: 50 });
const word = fc.constantFrom('sea', 'sun', 'é', 'x y');

const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      at: place,
      content: fc.constantFrom('one', 'two', 'other', 'a longer content'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('remove' as const), at: place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('rename' as const, 'copy' as const), at: place, to: place }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('move folder' as const),
      at: fc.constantFrom('a', 'c', 'a/b'),
      to: fc.constantFrom('a', 'c', 'd'),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('say' as const),
      item: any,
      patch: fc.record(
        {
          tags: fc.uniqueArray(word, { maxLength: 3 }),
          user_metadata: fc.dictionary(word, fc.oneof(word, fc.integer(), fc.constant(null)), { maxKeys: 2 }),
          title: fc.option(word),
          year: fc.option(fc.integer({ min: 1900, max: 2030 })),
          external_ids: fc.dictionary(fc.constantFrom('imdb', 'isbn'), word, { maxKeys: 1 }),
        },
        { requiredKeys: [] },
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('trash' as const, 'restore' as const), item: any }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      scope: fc.constantFrom('', '', '', 'a', 'c', 'a/1.jpg'),
      library: fc.nat({ max: 1 }),
      forceEmpty: fc.boolean(),
    }),
  },
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

interface Said {
  tags: string[];
  user_metadata: unknown;
  user_title: string | null;
  user_year: number | null;
  user_external_ids: unknown;
}
const nothing: Said = { tags: [], user_metadata: {}, user_title: null, user_year: null, user_external_ids: {} };

async function saidOf(db: Db, libraries: string[]): Promise<Map<string, Said>> {
  const { rows } = await sql<Said & { id: string }>`select id, tags, user_metadata, user_title, user_year, user_external_ids from items
    where library_id = any(${libraries}::uuid[]) order by id`.execute(db);
  return new Map(rows.map(({ id, ...said }) => [id, said]));
}

/** Overlays stay with their items; rows that a scan deleted or created have none. */
function expectUnchanged(before: Map<string, Said>, after: Map<string, Said>, what: string): void {
  for (const [id, said] of before) expect(after.get(id) ?? nothing, `${what} ${id}`).toEqual(said);
  for (const [id, said] of after) if (!before.has(id)) expect(said, `${what} made ${id}`).toEqual(nothing);
}

function touchDisk(root: string, step: { kind: string; at: string; to?: string; content?: string }): void {
  const at = path.join(root, step.at);
  if (step.kind === 'write') write(root, { [step.at]: step.content! });
  if (step.kind === 'remove') rmSync(at, { force: true });
  if (step.to === undefined || !existsSync(at)) return;
  const to = path.join(root, step.to);
  if (to === at || to.startsWith(`${at}/`) || existsSync(to)) return;
  mkdirSync(path.dirname(to), { recursive: true });
  if (step.kind === 'copy') copyFileSync(at, to);
  else renameSync(at, to);
}

test(`a rescan never changes the overlay (${operations} random operations)`, { timeout: 3_600_000 }, async () => {
  const { db } = await databaseForTest();
  const everything = await visibilityOf(db, openPrincipal);
  let scans = 0;
  let spoken = 0;
  const live = async (steps: Operation[]): Promise<void> => {
    await sql`delete from libraries`.execute(db);
    const outer = tree({ 'one/': '', 'two/': '' });
    const roots = [`${outer}/one`, `${outer}/two`];
    const libraries = [await addLibrary(db, roots[0]!), await addLibrary(db, roots[1]!)];
    write(roots[0]!, { 'a/1.jpg': 'first', '2.jpg': 'second' });
    for (const id of libraries) await scan(db, id);
    for (const step of steps) {
      if ('at' in step) {
        // Half of all paths belong to the second library, so that moves cross libraries.
        touchDisk(outer, {
          ...step,
          at: `${half(step.at)}/${step.at}`,
          ...('to' in step ? { to: `${half(step.to + step.at)}/${step.to}` } : {}),
        });
        continue;
      }
      const before = await saidOf(db, libraries);
      const ids = [...before.keys()];
      if (step.kind === 'scan') {
        await scan(db, libraries[step.library]!, { scope: step.scope, forceEmpty: step.forceEmpty });
        expectUnchanged(before, await saidOf(db, libraries), `scan of "${step.scope}"`);
        scans += 1;
        continue;
      }
      const id = ids[step.item % ids.length];
      if (id === undefined) continue;
      if (step.kind === 'say') {
        await patchOverlay(db, everything, openPrincipal, id, step.patch as OverlayPatch);
        spoken += 1;
      } else {
        const [from, to] = step.kind === 'trash' ? ['active', 'trashed'] : ['trashed', 'missing'];
        await sql`update items set status = ${to}, deleted_at = now() where id = ${id} and status = ${from}`.execute(db);
        expectUnchanged(before, await saidOf(db, libraries), step.kind);
      }
    }
    const before = await saidOf(db, libraries);
    for (const id of libraries) await scan(db, id, { forceEmpty: true });
    expectUnchanged(before, await saidOf(db, libraries), 'last scan');
  };
  const runs = Math.ceil(operations / perRun);
  await fc.assert(fc.asyncProperty(fc.array(operation, { minLength: perRun, maxLength: perRun }), live), {
    numRuns: runs,
    endOnFailure: false,
  });
  expect(scans).toBeGreaterThan(operations / 20);
  expect(spoken).toBeGreaterThan(operations / 20);
});

function half(text: string): 'one' | 'two' {
  return [...text].reduce((sum, char) => sum + char.charCodeAt(0), 0) % 3 === 0 ? 'two' : 'one';
}
