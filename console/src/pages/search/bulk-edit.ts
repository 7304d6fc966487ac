import * as catalog from '../../api/catalog.ts';
import { Problem } from '../../api/problem.ts';
import type { ItemPatch, SearchHit } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import { type CollectOptions, collectFiles, type Progress } from './collect-files.ts';

/** Runs a task for each element, at most `limit` at a time, until the first failure. */
async function runLimited<T>(list: readonly T[], limit: number, signal: AbortSignal, run: (one: T) => Promise<void>): Promise<void> {
  const rest = list.values();
  const worker = async () => {
    for (const one of rest) {
      if (signal.aborted) return;
      await run(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, list.length) }, worker));
}

/*
 * One edit of many files in two phases: the files are loaded together with the values they had (for undo), then written in batches.
 * Both phases report progress and can be stopped. What was written before a stop or an error is kept. Undo covers what was written, and
 * leaves alone what others entered.
 */
export type BulkKind = 'add-tag' | 'remove-tag' | 'note';

export interface BulkOptions extends CollectOptions {
  /** The most files to edit: as many as the person was told. The number of selected files when omitted. */
  confirmed?: number;
}

/** The search finds more files than were confirmed; nothing was written. */
export class MoreFilesFound extends Error {
  readonly found: number;
  constructor(found: number) {
    super();
    this.found = found;
  }
}

export interface BulkResult {
  /** Files that the edit changed. */
  written: number;
  /** Files of a batch that failed or whose response was lost, so that some or all of them may have been written. */
  uncertain: number;
  /** Files that the user may not edit or that no longer exist. */
  failed: number;
  /** Selected files that the search did not find any more. */
  missed: number;
  stopped: boolean;
  /** What ended the edit early. Undo still covers what was written before. */
  error: unknown;
  /** Whether there may be something to undo. */
  undoable: boolean;
  undo: () => Promise<void>;
}

/** The API's limit of files in one request. */
const BATCH = 500;
const MAX_PARALLEL = 6;

/** The files to edit. All hits of a search are read when the edit runs, and what they are may have changed since the person saw them. */
async function confirmedFiles<T>(options: BulkOptions, keep: (hit: SearchHit) => T): Promise<{ files: T[]; missed: number }> {
  const { selected, signal, confirmed = selected.size } = options;
  const files = await collectFiles(options, keep);
  if (files.length > confirmed) throw new MoreFilesFound(files.length);
  return { files, missed: signal.aborted || selected.ids !== null ? 0 : Math.max(0, selected.size - files.length) };
}

interface Edits {
  edits: Edit[];
  missed: number;
}

type Edit = {
  id: string;
  patch: ItemPatch;
  undo: ItemPatch;
  /** Whether the file would be changed by what is known of it. */
  expected: boolean;
};

interface Outcome {
  /** Edits that changed their file. */
  changed: Edit[];
  uncertain: Edit[];
  written: number;
  failed: number;
  error: unknown;
}

async function write(edits: Edit[], signal: AbortSignal, onProgress: (progress: Progress) => void): Promise<Outcome> {
  const changed: Edit[] = [];
  let written = 0;
  let failed = 0;
  for (let i = 0; i < edits.length && !signal.aborted; i += BATCH) {
    const batch = edits.slice(i, i + BATCH);
    try {
      const { results, unchanged } = await catalog.patchItems(Object.fromEntries(batch.map((edit) => [edit.id, edit.patch])));
      const ok = batch.filter(({ id }) => results[id] === 'ok');
      failed += batch.length - ok.length;
      // A file that had the values before is not counted, and not part of undo.
      const same = new Set(unchanged);
      const now = ok.filter(({ id }) => !same.has(id));
      written += now.length;
      changed.push(...now);
    } catch (error) {
      const refused = error instanceof Problem && error.status < 500;
      return { changed, uncertain: refused ? [] : batch, written, failed, error };
    }
    onProgress({ phase: 'writing', done: Math.min(i + BATCH, edits.length), total: edits.length });
  }
  return { changed, uncertain: [], written, failed, error: null };
}

async function undoEdits(edits: Edit[]): Promise<void> {
  let failed = 0;
  for (let i = 0; i < edits.length; i += BATCH) {
    const batch = edits.slice(i, i + BATCH);
    const { results } = await catalog.patchItems(Object.fromEntries(batch.map((edit) => [edit.id, edit.undo])));
    failed += batch.filter(({ id }) => results[id] !== 'ok').length;
  }
  if (failed > 0) throw new Error(t('{n|# file|# files} could not be changed back.', { n: failed }));
}

/** The edits whose note nobody has replaced since. */
async function withSameNote(edits: Edit[], note: string): Promise<Edit[]> {
  const same = new Set<string>();
  await runLimited(edits, MAX_PARALLEL, new AbortController().signal, async ({ id }) => {
    try {
      if ((await catalog.item(id)).user_metadata['note'] === note) same.add(id);
    } catch (error) {
      // A file that is gone, or no longer visible, has nothing to undo.
      if (!(error instanceof Problem && error.status === 404)) throw error;
    }
  });
  return edits.filter(({ id }) => same.has(id));
}

async function tagEdits(options: BulkOptions, tag: string, add: boolean): Promise<Edits> {
  const { files, missed } = await confirmedFiles(options, (hit) => ({ id: hit.id, had: (hit.tags ?? []).includes(tag) }));
  const edits = files.map(({ id, had }) =>
    add
      ? { id, patch: { add_tags: [tag] }, undo: { remove_tags: [tag] }, expected: !had }
      : { id, patch: { remove_tags: [tag] }, undo: { add_tags: [tag] }, expected: had },
  );
  // Single files were loaded when they were selected, and their tags may have changed since; the server says which files it changed.
  return { edits: options.selected.ids !== null ? edits : edits.filter(({ expected }) => expected), missed };
}

/**
 * Undo needs the notes that files had. A hit says whether its file has one, as the database knows it: the index may not know yet. Files that were
 * selected one by one may have got a note since they were listed.
 */
async function noteEdits(options: BulkOptions, note: string): Promise<Edits> {
  const { selected, signal, onProgress } = options;
  const { files, missed } = await confirmedFiles(options, ({ id, has_notes }) => ({ id, mayHaveNote: selected.ids !== null || has_notes }));
  const noted = files.filter(({ mayHaveNote }) => mayHaveNote);
  const before = new Map<string, unknown>();
  await runLimited(noted, MAX_PARALLEL, signal, async ({ id }) => {
    before.set(id, (await catalog.item(id)).user_metadata['note'] ?? null);
    onProgress({ phase: 'preparing', done: before.size, total: noted.length });
  });
  const edits = files.map(({ id }) => ({
    id,
    patch: { user_metadata: { note } },
    undo: { user_metadata: { note: before.get(id) ?? null } },
    expected: true,
  }));
  return { edits, missed };
}

/** Adds or removes one tag, or writes one note, on every selected file. Throws MoreFilesFound before it writes to more files than were confirmed. */
export async function runBulk(kind: BulkKind, value: string, options: BulkOptions): Promise<BulkResult> {
  const { edits, missed } = kind === 'note' ? await noteEdits(options, value) : await tagEdits(options, value, kind === 'add-tag');
  const { changed, uncertain, ...outcome } = await write(options.signal.aborted ? [] : edits, options.signal, options.onProgress);
  // Of an uncertain batch, a tag is not removed again: somebody else may have added it.
  const revertible = kind === 'add-tag' ? changed : [...changed, ...uncertain.filter(({ expected }) => expected)];
  return {
    ...outcome,
    uncertain: uncertain.length,
    missed,
    stopped: options.signal.aborted,
    undoable: revertible.length > 0,
    undo: async () => undoEdits(kind === 'note' ? await withSameNote(revertible, value) : revertible),
  };
}
