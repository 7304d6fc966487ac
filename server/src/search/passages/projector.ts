import type { Document } from '@catalog/engine';
import { sql } from 'kysely';
import { queuePassages } from '../../catalog/libraries/index.ts';
import { requestEmbedding } from '../../content/embeddings/index.ts';
import {
  currentShape,
  deleteFromPassageOutbox,
  deleteUnusedTexts,
  forgetItemPassages,
  hasPassageLibrary,
  itemPassagesAfter,
  readItemPassages,
  readPassageOutbox,
  recordItemPassages,
} from '../../content/passages/index.ts';
import { one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type IndexedVectors, passagesSchemaWith, recordIndexedModel, wantedVectors } from '../documents/index.ts';
import type { SearchWriter } from '../engines/index.ts';
import {
  createLockedLoop,
  type LoopControls,
  type Projector,
  pauseAfter,
  readRebuild,
  requestNewRebuild,
  updateRebuild,
  waitAfterFailure,
} from '../projection/index.ts';
import { passageDocuments, passageId } from './documents.ts';

/**
 * Divides changed texts into passages and writes them into the passage index. One runs in a deployment.
 *
 * idle      no library has passages and none are left: there is no index.
 * draining  reads the oldest rows of passage_outbox, records which documents the index may have from now on, writes the index, records what it
 *           has, and deletes the rows. A crash in between repeats the write, which is idempotent and leaves no document behind.
 * building  a rebuild was requested, or the index is missing, damaged or of another version: all documents go into a shadow index that is
 *           swapped in at the end, while searches continue.
 */
const lockKey = 0x0ca7a10b;
/** Few, because each item may have five million characters. */
const batchSize = 20;
const usableCheckMs = 10_000;
const key = 'passage_index_rebuild';

export function createPassageProjector({ db, database, log, settings }: Dependencies, writer: SearchWriter): Projector {
  let vectors: IndexedVectors | null = null;
  // Set when the worker has loaded another embedding model.
  let schemaChanged = false;

  async function project(loop: LoopControls): Promise<void> {
    await queueOtherShapes();
    for (let checkedAt = Number.NEGATIVE_INFINITY; !loop.stopping(); ) {
      loop.expectChanges();
      await loop.confirmLock();
      if (!(await isNeeded())) {
        await loop.sleep(10_000);
        continue;
      }
      if (schemaChanged || performance.now() - checkedAt >= usableCheckMs) {
        schemaChanged = false;
        // Search by meaning changes the schema when it is switched, or when the worker loads another model.
        vectors = await wantedVectors(db, settings);
        await writer.setSchema(passagesSchemaWith(vectors));
        const unusable = await writer.unusable();
        if (unusable && (await waitAfterFailure(loop, { db, log }, key))) continue;
        if (unusable) await rebuild(loop, `Building the passage index: ${unusable.message}`, await requestedRebuild());
        await recordIndexedModel(db, vectors, 'passages');
        checkedAt = performance.now();
      }
      const requested = await requestedRebuild();
      if (requested !== null) {
        await rebuild(loop, 'Rebuilding the passage index on request.', requested);
        continue;
      }
      if (!(await drain())) await loop.sleep(2000);
    }
  }

  /** The id of a rebuild that is still to be done, or null. */
  async function requestedRebuild(): Promise<string | null> {
    const state = await readRebuild(db, key);
    return state?.status === 'requested' || state?.status === 'running' ? state.id : null;
  }

  /** After a change of the SVC_CHUNK_ settings, every text is divided again. */
  async function queueOtherShapes(): Promise<void> {
    const { rows } = await sql<{
      any: boolean;
    }>`select exists (select from item_passages where shape <> ${currentShape(settings)}) as any`.execute(db);
    if (one(rows).any) await queuePassages(db);
  }

  async function isNeeded(): Promise<boolean> {
    if (await hasPassageLibrary(db)) return true;
    const { rows } = await sql`select from item_passages limit 1`.execute(db);
    return rows.length > 0;
  }

  async function drain(): Promise<boolean> {
    const { seqs, ids } = await readPassageOutbox(db, batchSize);
    if (seqs.length === 0) return false;
    const known = await readItemPassages(db, ids);
    const found = await passageDocuments(db, settings, ids, vectors);
    const current = new Map(found.map(({ row }) => [row.item_id, row]));
    const remove = [...known.values()].flatMap(({ item_id, documents }) =>
      numbers(item_id, current.get(item_id)?.documents ?? 0, documents),
    );
    const rows = found.map(({ row }) => row);
    await recordItemPassages(db, rows, 'before');
    await writer.write({ upsert: found.flatMap(({ documents }) => documents), remove });
    await recordItemPassages(db, rows, 'after');
    await forgetItemPassages(
      db,
      ids.filter((id) => !current.has(id)),
    );
    await deleteUnusedTexts(
      db,
      [...known.values()].map(({ text_hash }) => text_hash),
    );
    await deleteFromPassageOutbox(db, seqs);
    // After the deletion, because the texts of waiting items are not embedded.
    if (vectors && rows.some(({ model_id }) => model_id === null)) await requestEmbedding(db);
    return true;
  }

  async function rebuild(loop: LoopControls, why: string, requested: string | null = null): Promise<void> {
    log.info(why);
    const startedAt = performance.now();
    const previousPause = requested === null ? ((await readRebuild(db, key))?.pause_ms ?? 0) : 0;
    // Recorded also when nobody requested it, so that reap_shadow_indexes leaves the unfinished index alone.
    const id = requested ?? (await requestNewRebuild(db, key));
    const { total } = one(
      (await sql<{ total: number }>`select coalesce(sum(documents), 0)::integer as total from item_passages`.execute(db)).rows,
    );
    let documents = 0;
    const report = async (status: 'running' | 'done' | 'failed', failure?: { error: string; pause_ms: number }): Promise<void> => {
      await updateRebuild(db, { id, status, documents, total, error: null, ...failure }, key);
    };
    async function* pages(): AsyncGenerator<Document[]> {
      for (let after: string | null = null; ; ) {
        if (loop.stopping()) throw new Error('The worker is stopping; the rebuild starts again in another one.');
        const ids = (await itemPassagesAfter(db, after, batchSize)).map(({ item_id }) => item_id);
        if (ids.length === 0) return;
        const found = await passageDocuments(db, settings, ids, vectors);
        // The rows describe what the new index has; items that have changed meanwhile are in the outbox as well.
        await recordItemPassages(
          db,
          found.map(({ row }) => row),
          'before',
        );
        yield found.flatMap((each) => each.documents);
        documents += found.reduce((sum, each) => sum + each.documents.length, 0);
        after = ids.at(-1) as string;
        await report('running');
      }
    }
    try {
      await report('running');
      await writer.rebuild(pages());
      await report('done');
      log.info(`The passage index has ${documents} passages.`);
    } catch (error) {
      const failure = { error: (error as Error).message, pause_ms: pauseAfter(performance.now() - startedAt, previousPause) };
      // The rebuild error is thrown below; failing to store it as well must not replace it.
      if (!loop.stopping()) await report('failed', failure).catch(() => {});
      throw error;
    }
  }

  const loop = createLockedLoop(
    { database, log },
    {
      name: 'catalog-passages',
      lockKey,
      channel: 'passage_outbox',
      failure: 'The passage index could not be updated; retrying.',
      onNotification(payload) {
        if (payload === 'schema') schemaChanged = true;
      },
    },
    project,
  );
  return {
    start: loop.start,
    async stop() {
      await loop.stop();
      await writer.close();
    },
  };
}

/** The ids of passages `from` to `to - 1`. */
function numbers(itemId: string, from: number, to: number): string[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, at) => passageId(itemId, from + at));
}
