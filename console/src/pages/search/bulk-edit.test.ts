import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { MoreFilesFound, runBulk } from './bulk-edit.ts';
import { collectFiles, type Progress } from './collect-files.ts';
import { csvLine } from './csv-list.ts';
import { EMPTY_SELECTION, selectAllHits, selectIds, toggle } from './selection.ts';

const TOTAL = 1_250;
const tags = new Map<string, string[]>();
const notes = new Map<string, string>();
/** Files whose details were read, and how often a page of hits was. */
const read: string[] = [];
let searches = 0;
/** Files that no longer exist. */
const gone = new Set<string>();

interface Patch {
  add_tags?: string[];
  remove_tags?: string[];
  user_metadata?: { note: string | null };
}

function patch(id: string, change: Patch): string {
  if (id === 'f7') return 'error: You may not write this.';
  if (change.add_tags) tags.set(id, [...new Set([...(tags.get(id) ?? []), ...change.add_tags])]);
  if (change.remove_tags)
    tags.set(
      id,
      (tags.get(id) ?? []).filter((t) => !change.remove_tags!.includes(t)),
    );
  if (change.user_metadata) {
    if (change.user_metadata.note === null) notes.delete(id);
    else notes.set(id, change.user_metadata.note);
  }
  return 'ok';
}

/** How many requests with a cursor are refused because it has expired. */
let expired = 0;
/** The server writes a batch, but the connection breaks before its response. */
let responseIsLost = false;

const stored = (id: string) => JSON.stringify([tags.get(id) ?? [], notes.get(id)]);
const hit = (id: string) => ({ id, tags: tags.get(id) ?? [], has_notes: notes.has(id) }) as SearchHit;

beforeEach(() => {
  tags.clear();
  notes.clear();
  read.length = 0;
  searches = 0;
  gone.clear();
  expired = 0;
  responseIsLost = false;
  vi.stubGlobal('fetch', async (request: Request) => {
    const url = new URL(request.url);
    if (url.pathname.endsWith('/search')) {
      searches += 1;
      const only = Array.from({ length: TOTAL }, (_, i) => `f${i}`);
      const from = Number(url.searchParams.get('cursor') ?? 0);
      if (from > 0 && expired-- > 0)
        return Response.json({ status: 410, code: 'cursor_expired', title: 'Cursor expired' }, { status: 410 });
      const hits = only.slice(from, from + 200).map(hit);
      return Response.json({ hits, total: only.length, next_cursor: from + 200 < only.length ? String(from + 200) : null });
    }
    if (url.pathname.endsWith('/batch')) {
      const body = (await request.json()) as Record<string, Patch>;
      expect(Object.keys(body).length).toBeLessThanOrEqual(500);
      const before = new Map(Object.keys(body).map((id) => [id, stored(id)]));
      const results = Object.fromEntries(Object.entries(body).map(([id, change]) => [id, patch(id, change)]));
      if (responseIsLost) throw new TypeError('Failed to fetch');
      return Response.json({ results, unchanged: Object.keys(body).filter((id) => results[id] === 'ok' && before.get(id) === stored(id)) });
    }
    const id = url.pathname.split('/').at(-1)!;
    read.push(id);
    if (gone.has(id)) return Response.json({ status: 404, code: 'not_found', title: 'Not found' }, { status: 404 });
    return Response.json({ id, user_metadata: notes.has(id) ? { note: notes.get(id) } : {} });
  });
});
afterEach(() => vi.unstubAllGlobals());

const options = (patchOf: object = {}) => ({
  selected: selectAllHits(EMPTY_SELECTION, TOTAL).files,
  loaded: [],
  params: { q: 'harbour' },
  signal: new AbortController().signal,
  onProgress: () => {},
  ...patchOf,
});

test('a tag is added to all hits, and undo keeps it on files that had it before', async () => {
  tags.set('f3', ['print']);
  const steps: Progress[] = [];
  const done = await runBulk('add-tag', 'print', options({ onProgress: (p: Progress) => steps.push(p) }));
  expect([...tags.values()].filter((t) => t.includes('print'))).toHaveLength(TOTAL - 1);
  expect(done).toMatchObject({ written: TOTAL - 2, failed: 1, stopped: false });
  expect(steps.at(-1)).toEqual({ phase: 'writing', done: TOTAL - 1, total: TOTAL - 1 });
  await done.undo();
  expect([...tags].filter(([, t]) => t.includes('print')).map(([id]) => id)).toEqual(['f3']);
});

test('a list whose cursor expires is read again from its first page, and each file is edited once', async () => {
  expired = 2;
  const done = await runBulk('add-tag', 'print', options());
  expect(done).toMatchObject({ written: TOTAL - 1, failed: 1, error: null });
  expect(tags.get('f3')).toEqual(['print']);
  expired = 3;
  await expect(runBulk('add-tag', 'other', options())).rejects.toMatchObject({ code: 'cursor_expired' });
});

test('deselected files are not edited when all others are selected', async () => {
  const but = toggle(selectAllHits(EMPTY_SELECTION, TOTAL), 5, (i) => `f${i}`);
  await runBulk('add-tag', 'x', options({ selected: but.files }));
  expect(tags.has('f5')).toBe(false);
  expect(tags.has('f6')).toBe(true);
});

test('more files than were confirmed are not edited', async () => {
  const selected = selectAllHits(EMPTY_SELECTION, TOTAL - 50).files;
  for (const [kind, value] of [
    ['add-tag', 'x'],
    ['remove-tag', 'x'],
    ['note', 'new'],
  ] as const) {
    const refused = await runBulk(kind, value, options({ selected })).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MoreFilesFound);
    expect(refused).toMatchObject({ found: TOTAL });
  }
  expect(tags.size + notes.size).toBe(0);
  expect(await runBulk('add-tag', 'x', options({ selected, confirmed: TOTAL }))).toMatchObject({ written: TOTAL - 1, missed: 0 });
});

test('files that are no longer in the results are counted', async () => {
  const selected = selectAllHits(EMPTY_SELECTION, TOTAL + 30).files;
  expect(await runBulk('add-tag', 'x', options({ selected }))).toMatchObject({ written: TOTAL - 1, failed: 1, missed: 30 });
});

test('all results of a search by meaning are the listed ones, read in their order', async () => {
  const asked: URLSearchParams[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    asked.push(query);
    const from = Number(query.get('cursor') ?? 0);
    return Response.json({
      hits: Array.from({ length: 200 }, (_, n) => hit(`f${from + n}`)),
      total: 9999,
      next_cursor: String(from + 200),
      semantic: { applied: true, detail: null },
    });
  });
  const files = await collectFiles(options({ params: { q: 'boat', semantic: 1 } }), ({ id }) => id);
  expect(files).toEqual(Array.from({ length: TOTAL }, (_, n) => `f${n}`));
  expect(asked.map((query) => query.get('sort'))).toEqual(asked.map(() => null));
});

test('files that are found by words are not taken for the listed ones, which were found by meaning', async () => {
  const semantic = { applied: false, detail: 'The model is loading.' };
  vi.stubGlobal('fetch', async () => Response.json({ hits: [hit('f1')], total: 1, next_cursor: null, semantic }));
  const edit = runBulk('add-tag', 'x', options({ params: { q: 'boat', semantic: 0.5 } }));
  await expect(edit).rejects.toThrow('Search by meaning is not available');
});

test('undo of a note restores the notes that the files had', async () => {
  notes.set('f1', 'old');
  notes.set('f900', 'older');
  const done = await runBulk('note', 'new', options());
  expect(notes.get('f900')).toBe('new');
  expect(notes.size).toBe(TOTAL - 1);
  // Only the two files with a note were read.
  expect(read.sort()).toEqual(['f1', 'f900']);
  await done.undo();
  expect([...notes]).toEqual([
    ['f1', 'old'],
    ['f900', 'older'],
  ]);
});

test('undo of a stopped edit reverts exactly what was written', async () => {
  const control = new AbortController();
  const done = await runBulk(
    'add-tag',
    'x',
    options({ signal: control.signal, onProgress: (p: Progress) => p.phase === 'writing' && control.abort() }),
  );
  expect(done).toMatchObject({ written: 499, failed: 1, stopped: true });
  await done.undo();
  expect([...tags.values()].flat()).toEqual([]);
});

test('undo of a failed edit reverts exactly what was written', async () => {
  const inner = globalThis.fetch;
  let batches = 0;
  vi.stubGlobal('fetch', (request: Request) => {
    if (request.url.endsWith('/batch')) batches += 1;
    return batches === 2 && request.url.endsWith('/batch')
      ? Promise.resolve(Response.json({ detail: 'Busy.' }, { status: 503 }))
      : inner(request);
  });
  const done = await runBulk('add-tag', 'x', options());
  expect(done.written).toBe(499);
  expect(done.error).toMatchObject({ message: 'Busy.' });
  await done.undo();
  expect([...tags.values()].flat()).toEqual([]);
});

const ofFiles = (...hits: { id: string; tags: string[] }[]) =>
  options({ selected: selectIds(new Set(hits.map(({ id }) => id))), loaded: hits });

test('undo keeps a tag that another person gave after the list was loaded', async () => {
  tags.set('f1', ['print']);
  const done = await runBulk('add-tag', 'print', ofFiles({ id: 'f1', tags: [] }, { id: 'f2', tags: [] }));
  expect(done.written).toBe(1);
  await done.undo();
  expect([...tags]).toEqual([
    ['f1', ['print']],
    ['f2', []],
  ]);
});

test('undo says how many files could not be changed back', async () => {
  const done = await runBulk('add-tag', 'print', ofFiles({ id: 'f1', tags: [] }, { id: 'f2', tags: [] }));
  const inner = globalThis.fetch;
  vi.stubGlobal('fetch', async (request: Request) =>
    request.url.endsWith('/batch')
      ? Response.json({ results: { f1: 'error: You may not write this.', f2: 'ok' }, unchanged: [] })
      : inner(request),
  );
  await expect(done.undo()).rejects.toThrow('1 file could not be changed back.');
});

test('a tag is removed from selected files that got it after they were loaded, and added again after it was removed', async () => {
  const selected = ofFiles({ id: 'f1', tags: [] }, { id: 'f2', tags: [] });
  await runBulk('add-tag', 'print', selected);
  expect(await runBulk('remove-tag', 'print', selected)).toMatchObject({ written: 2, undoable: true });
  expect([tags.get('f1'), tags.get('f2')]).toEqual([[], []]);
});

test('undo keeps a note that was written after the bulk edit, and skips files that are gone', async () => {
  for (const id of ['f1', 'f2', 'f3']) notes.set(id, 'old');
  const done = await runBulk('note', 'bulk', ofFiles(...['f1', 'f2', 'f3'].map((id) => ({ id, tags: [] }))));
  notes.set('f2', 'written since');
  gone.add('f3');
  await done.undo();
  expect([...notes]).toEqual([
    ['f1', 'old'],
    ['f2', 'written since'],
    ['f3', 'bulk'],
  ]);
});

test('undo covers notes and removed tags of a batch whose response was lost', async () => {
  notes.set('f1', 'old');
  tags.set('f1', ['print']);
  responseIsLost = true;
  const noted = await runBulk('note', 'bulk', ofFiles({ id: 'f1', tags: ['print'] }));
  const untagged = await runBulk('remove-tag', 'print', ofFiles({ id: 'f1', tags: ['print'] }));
  expect([notes.get('f1'), tags.get('f1')]).toEqual(['bulk', []]);
  responseIsLost = false;
  for (const done of [noted, untagged]) {
    expect(done).toMatchObject({ written: 0, uncertain: 1, undoable: true });
    await done.undo();
  }
  expect([notes.get('f1'), tags.get('f1')]).toEqual(['old', ['print']]);
});

test('undo does not remove a tag when it is unknown who added it', async () => {
  responseIsLost = true;
  const done = await runBulk('add-tag', 'print', ofFiles({ id: 'f1', tags: [] }));
  expect(done).toMatchObject({ written: 0, uncertain: 1, undoable: false });
});

test('a batch that the server refused is not reported as possibly written', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 403, code: 'action_denied' }, { status: 403 }));
  const done = await runBulk('remove-tag', 'print', ofFiles({ id: 'f1', tags: ['print'] }));
  expect(done).toMatchObject({ written: 0, uncertain: 0, undoable: false, error: { status: 403 } });
});

test('individually selected files are edited without searching again', async () => {
  await runBulk('remove-tag', 'a', options({ selected: selectIds(new Set(['f1'])), loaded: [{ id: 'f1', tags: ['a'] }] }));
  expect(searches).toBe(0);
});

test('a name that a spreadsheet would run as a formula is escaped', () => {
  const line = csvLine(
    { library_id: 'l', rel_path: '=cmd()|x, y.csv', size: 3, mtime: 0, file_category: 'other', tags: ['a'] } as unknown as SearchHit,
    () => 'Lib',
  );
  expect(line).toBe(`Lib,"'=cmd()|x, y.csv",3,1970-01-01T00:00:00.000Z,other,a`);
});
