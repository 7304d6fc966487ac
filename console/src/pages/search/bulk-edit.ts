import * as catalog from '../../api/catalog.ts';
import type { ItemPatch, SearchHit, SearchParams } from '../../api/types.ts';
import { search } from '../../api/search.ts';
import type { Chosen } from './selection.ts';

/** As many as the service gives at once. */
const PAGE = 200;

/**
 * Every hit of a question, page by page, in the order of their paths so that an edit on the way moves nothing.
 * Ends when the signal does; what came until then counts.
 */
export async function* walkHits(params: SearchParams, signal: AbortSignal): AsyncGenerator<SearchHit[]> {
  let cursor: string | undefined;
  do {
    const answer = await search({ ...params, sort: 'path:asc', facets: false, limit: PAGE, ...(cursor ? { cursor } : {}) }, signal);
    if (answer.hits.length > 0) yield answer.hits;
    cursor = answer.next_cursor ?? undefined;
  } while (cursor && !signal.aborted);
}

/** Runs over a list a few at a time. The first failure ends it. */
export async function inParallel<T>(
  list: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  run: (one: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < list.length && !signal.aborted) {
      const one = list[next]!;
      next += 1;
      await run(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
}

/*
 * One edit for many files: first the files are gathered (what each had is remembered, for the way back), then they are written in batches.
 * Both phases tell how far they are and can be stopped; what was written until then stays, and the undo covers exactly that.
 */
export type BulkKind = 'add-tag' | 'remove-tag' | 'note';

export interface Progress {
  phase: 'gathering' | 'writing';
  done: number;
  total: number;
}

export interface BulkOptions {
  chosen: Chosen;
  /** The chosen files that are loaded already. */
  loaded: SearchHit[];
  params: SearchParams;
  signal: AbortSignal;
  onProgress: (progress: Progress) => void;
}

export interface BulkDone {
  written: number;
  /** Files the caller may not write, or that are gone. */
  refused: number;
  stopped: boolean;
  /** What ended it early; what was written until then can still be taken back. */
  error: unknown;
  undo: () => Promise<void>;
}

/** The service takes at most this many files in one request. */
const BATCH = 500;
const AT_ONCE = 6;

/** The chosen files, each with what the caller wants to keep of it. */
export async function gather<T>({ chosen, loaded, params, signal, onProgress }: BulkOptions, keep: (hit: SearchHit) => T): Promise<T[]> {
  if (chosen.named !== null) return loaded.map(keep);
  const all: T[] = [];
  for await (const hits of walkHits(params, signal)) {
    for (const hit of hits) if (chosen.has(hit.id)) all.push(keep(hit));
    onProgress({ phase: 'gathering', done: all.length, total: chosen.size });
  }
  return all;
}

type Step = { id: string; patch: ItemPatch; back: ItemPatch };

async function write(
  steps: Step[],
  signal: AbortSignal,
  onProgress: (progress: Progress) => void,
): Promise<{ done: Step[]; refused: number; error: unknown }> {
  const done: Step[] = [];
  let refused = 0;
  for (let i = 0; i < steps.length && !signal.aborted; i += BATCH) {
    const batch = steps.slice(i, i + BATCH);
    try {
      const { results } = await catalog.patchItems(Object.fromEntries(batch.map((step) => [step.id, step.patch])));
      for (const step of batch) {
        if (results[step.id] === 'ok') done.push(step);
        else refused += 1;
      }
    } catch (error) {
      return { done, refused, error };
    }
    onProgress({ phase: 'writing', done: Math.min(i + BATCH, steps.length), total: steps.length });
  }
  return { done, refused, error: null };
}

async function takeBack(done: Step[]): Promise<void> {
  for (let i = 0; i < done.length; i += BATCH)
    await catalog.patchItems(Object.fromEntries(done.slice(i, i + BATCH).map((step) => [step.id, step.back])));
}

async function tagSteps(options: BulkOptions, tag: string, add: boolean): Promise<Step[]> {
  const files = await gather(options, (hit) => ({ id: hit.id, had: (hit.tags ?? []).includes(tag) }));
  // A file that has it already (or never had it) stays as it is, also on the way back.
  return files
    .filter((file) => file.had !== add)
    .map(({ id }) =>
      add
        ? { id, patch: { add_tags: [tag] }, back: { remove_tags: [tag] } }
        : { id, patch: { remove_tags: [tag] }, back: { add_tags: [tag] } },
    );
}

/** Only files that have a note must be read for the way back; of a whole result the service names them. */
async function noteSteps(options: BulkOptions, note: string): Promise<Step[]> {
  const { chosen, params, signal, onProgress } = options;
  const ids = await gather(options, (hit) => hit.id);
  const noted =
    chosen.named !== null
      ? ids
      : await gather({ ...options, params: { ...params, q: `${params.q ?? ''} has:notes`.trim() } }, (hit) => hit.id);
  const before = new Map<string, unknown>();
  await inParallel(noted, AT_ONCE, signal, async (id) => {
    before.set(id, (await catalog.item(id)).user_metadata['note'] ?? null);
    onProgress({ phase: 'gathering', done: before.size, total: noted.length });
  });
  return ids.map((id) => ({ id, patch: { user_metadata: { note } }, back: { user_metadata: { note: before.get(id) ?? null } } }));
}

/** Adds or removes one tag, or writes the same note, on every chosen file. */
export async function runBulk(kind: BulkKind, value: string, options: BulkOptions): Promise<BulkDone> {
  const steps = kind === 'note' ? await noteSteps(options, value) : await tagSteps(options, value, kind === 'add-tag');
  const { done, refused, error } = await write(options.signal.aborted ? [] : steps, options.signal, options.onProgress);
  return { written: done.length, refused, stopped: options.signal.aborted, error, undo: () => takeBack(done) };
}

const quote = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
/** A cell that a spreadsheet would run as a formula begins with a quote sign instead. */
const cell = (text: string): string => quote(/^[=+\-@\t]/.test(text) ? `'${text}` : text);

export const CSV_HEAD = 'library,path,size,modified,kind,tags';

/** One chosen file as a line for a spreadsheet. */
export function csvLine(hit: SearchHit, libraryName: (id: string) => string): string {
  return [
    cell(libraryName(hit.library_id)),
    cell(hit.rel_path),
    String(hit.size),
    new Date(hit.mtime * 1000).toISOString(),
    cell(hit.file_category ?? ''),
    cell((hit.tags ?? []).join('; ')),
  ].join(',');
}

export function download(name: string, lines: string[]): void {
  const url = URL.createObjectURL(new Blob(['\uFEFF', lines.join('\r\n')], { type: 'text/csv;charset=utf-8' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
