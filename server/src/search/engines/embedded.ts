import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  createIndex,
  EngineError,
  type IndexReader,
  type IndexWriter,
  listShadows,
  openReader,
  openWriter,
  removeShadow,
  type Schema,
  type SearchResult,
  shadowPath,
  swapIndex,
} from '@catalog/engine';
import { type SearchReader, SearchUnavailable, type SearchWriter } from './port.ts';

/** Errors that need a rebuild; others, such as a closed thread or a full disk, are temporary. */
const broken = new Set(['no_index', 'corrupt', 'foreign_format', 'newer_format', 'schema_mismatch', 'bad_schema']);

function unavailable(error: unknown): unknown {
  if (!(error instanceof EngineError) || error.code === 'bad_query' || error.code === 'bad_document') return error;
  return new SearchUnavailable(error.message, broken.has(error.code), error.code === 'corrupt');
}

/** How often a reader that is in use checks that it could load the newest segments; it serves the old ones until it can. */
const checkEveryMs = 30_000;

/** Opens the reader on first use and again after a failure. `onDamage` is called when it finds the index damaged. */
export function embeddedReader(directory: string, onDamage: (error: SearchUnavailable) => void = () => {}): SearchReader {
  let opening: Promise<IndexReader> | null = null;
  let checkedAt = Number.NEGATIVE_INFINITY;
  const report = (error: unknown): void => {
    if (error instanceof SearchUnavailable && error.damaged) onDamage(error);
  };
  const checkSegments = (reader: IndexReader): void => {
    if (performance.now() - checkedAt < checkEveryMs) return;
    checkedAt = performance.now();
    void reader.refresh().catch((error: unknown) => report(unavailable(error)));
  };
  const open = (): Promise<IndexReader> => {
    const started = openReader(directory);
    // Whatever the error was, the next call tries again. Callers of this one get it from the same promise.
    started.catch(() => {
      if (opening === started) opening = null;
    });
    return started;
  };
  const withReader = async <T>(work: (reader: IndexReader) => Promise<T>): Promise<T> => {
    opening ??= open();
    const current = opening;
    try {
      const reader = await current;
      checkSegments(reader);
      return await work(reader);
    } catch (error) {
      const known = unavailable(error);
      report(known);
      if (known instanceof SearchUnavailable && opening === current) {
        opening = null;
        // The reader has already failed, and its error is thrown below.
        void current.then((reader) => reader.close()).catch(() => {});
      }
      throw known;
    }
  };
  return {
    search: (query) => withReader(async (reader) => withCheckedIds(await reader.search(query))),
    suggest: (word, limit) => withReader((reader) => reader.suggest(word, limit)),
    stats: () => withReader((reader) => reader.stats()),
    async refresh() {
      // A reader that is opened later reads the newest segments.
      if (opening) await withReader((reader) => reader.refresh());
    },
    async *list() {
      const reader = await withReader(async (ready) => ready);
      await reader.refresh();
      yield* reader.list();
    },
    async close() {
      const current = opening;
      opening = null;
      // A reader that failed to open has nothing to close.
      await current?.then((reader) => reader.close()).catch(() => {});
    },
  };
}

/** The id of an item, or of one of its passages. */
const idShape = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(_\d+)?$/;

/** Ids are read from disk for each search. One that is no id shows that the segment was damaged after it was opened. */
function withCheckedIds(result: SearchResult): SearchResult {
  if (!result.hits.every(({ id }) => idShape.test(id)))
    throw new EngineError('corrupt', 'The ids of hits are unreadable. A segment file was damaged while it was in use.');
  return result;
}

/** Replaces the index by the shadow, even when the index is missing or unusable. */
async function swapIn(directory: string, shadow: string): Promise<void> {
  try {
    await swapIndex(directory, shadow);
  } catch (error) {
    if (!(error instanceof EngineError && broken.has(error.code))) throw error;
    // An empty index must not exist at any time: after a crash it would be taken for a complete one.
    rmSync(directory, { recursive: true, force: true });
    renameSync(shadow, directory);
  }
}

export function embeddedWriter(directory: string, initial: Schema): SearchWriter {
  let schema = initial;
  let writer: IndexWriter | null = null;
  const open = async (): Promise<IndexWriter> => {
    writer ??= await openWriter(directory, schema);
    return writer;
  };
  const withWriter = async <T>(work: (writer: IndexWriter) => Promise<T>): Promise<T> => {
    try {
      return await work(await open());
    } catch (error) {
      // Uncommitted changes are lost with the writer, but the outbox still has them. The original error is the one to report.
      const failed = writer;
      writer = null;
      await failed?.close().catch(() => {});
      throw unavailable(error);
    }
  };
  return {
    async setSchema(next) {
      if (JSON.stringify(next) === JSON.stringify(schema)) return;
      schema = next;
      const current = writer;
      writer = null;
      await current?.close();
    },
    async write({ upsert, remove }) {
      await withWriter(async (ready) => {
        if (remove.length > 0) await ready.delete(remove);
        if (upsert.length > 0) await ready.upsert(upsert);
        await ready.commit();
      });
    },
    async unusable() {
      try {
        await withWriter((ready) => ready.stats());
        return null;
      } catch (error) {
        if (error instanceof SearchUnavailable && error.rebuild) return error;
        throw error;
      }
    },
    async rebuild(pages) {
      const shadow = shadowPath(directory);
      mkdirSync(path.dirname(directory), { recursive: true });
      await createIndex(shadow, schema);
      const building = await openWriter(shadow, schema);
      let documents = 0;
      try {
        for await (const page of pages) {
          await building.upsert(page);
          documents += page.length;
        }
        await building.commit();
        await building.close();
        // The old index is about to be replaced, so a failed close does not matter.
        await writer?.close().catch(() => {});
        writer = null;
        await swapIn(directory, shadow);
      } catch (error) {
        // The shadow is deleted next, so a failed close does not matter.
        await building.close().catch(() => {});
        rmSync(shadow, { recursive: true, force: true });
        throw unavailable(error);
      }
      return { documents };
    },
    compact: () => withWriter((ready) => ready.compact()),
    stats: () => withWriter((ready) => ready.stats()),
    async reapShadows(olderThanMs) {
      if (!existsSync(path.dirname(directory))) return 0;
      const old = (await listShadows(directory)).filter(({ ageMs }) => ageMs > olderThanMs);
      for (const shadow of old) await removeShadow(shadow.path);
      return old.length;
    },
    async close() {
      const current = writer;
      writer = null;
      await current?.close();
    },
  };
}
