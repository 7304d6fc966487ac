import { sql } from 'kysely';
import { settleSomeFolderMoves } from '../../catalog/scan/index.ts';
import { addPending, requestEmbedding } from '../../content/embeddings/index.ts';
import { queueChangedItems } from '../../content/passages/index.ts';
import { one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import {
  allDocuments,
  divideByText,
  documentsOf,
  itemsSchemaWith,
  type ProjectionOptions,
  recordIndexedModel,
  wantedVectors,
} from '../documents/index.ts';
import { SearchUnavailable, type SearchWriter } from '../engines/index.ts';
import { createLockedLoop, type LoopControls } from './locked-loop.ts';
import { pauseAfter, waitAfterFailure } from './rebuild-pause.ts';
import { deleteFromOutbox, type RebuildKey, readOutbox, readRebuild, requestNewRebuild, requestRebuild, updateRebuild } from './store.ts';

/**
 * The projector writes the changes recorded in the outbox into the index. One runs in a deployment, in the worker that holds the lock.
 *
 * waiting     another process holds the lock, or the database is unavailable: retries.
 * draining    holds the lock: reads the oldest outbox rows, writes their documents, removes documents of deleted items, then deletes the rows.
 *             A crash before the deletion repeats the write, which is idempotent.
 * building    a rebuild was requested, or the index is missing, damaged or of another version: all documents go into a shadow index that is
 *             swapped in at the end. Outbox rows added meanwhile are drained afterwards, so no change is missed.
 *             After a failed rebuild that nobody requested, it waits up to five minutes; a request ends the wait.
 * compacting  a compaction was requested: the embedded engine has one writer, so nothing is written meanwhile.
 * collecting  few changes at a time keep coming: waits up to a second, so that they are written together.
 * idle        the outbox is empty: sleeps until the database notifies. Checks now and then whether the index still exists, because a search
 *             server can lose its data while nothing changes.
 */
export interface Projector {
  start(): void;
  stop(): Promise<void>;
}

const lockKey = 0x0ca7a10a;
const batchSize = 2000;
const usableCheckMs = 10_000;
/**
 * Many small writes cost the index far more than a few large ones. So after each small write that follows another without a pause, the
 * projector waits one step longer, up to the maximum. The first change after an idle time is written immediately.
 */
const collectStepMs = 20;
const longestCollectMs = 1000;

const damageMessage = ({ message, damaged }: SearchUnavailable): string =>
  `The search index ${damaged ? 'is damaged' : 'cannot be written'}: ${message} It is being rebuilt from the database.`;

/** For readers: logs damage once per message and asks the worker for a rebuild, unless one is under way. */
export function createDamageReport({ db, log }: Pick<Dependencies, 'db' | 'log'>, key?: RebuildKey): (error: SearchUnavailable) => void {
  let reported = '';
  return (error) => {
    if (error.message === reported) return;
    reported = error.message;
    log.error(damageMessage(error));
    requestRebuild(db, key).catch((failure: unknown) => {
      reported = '';
      log.warning('The rebuild of the search index could not be requested.', { error: failure });
    });
  };
}

export function createProjector({ db, database, log, settings }: Dependencies, writer: SearchWriter): Projector {
  let stopping = (): boolean => false;
  // Set when the worker has loaded another embedding model.
  let schemaChanged = false;
  let projection: ProjectionOptions = { vectors: null };

  /** Search by meaning changes the schema when it is switched, or when the worker loads another model. */
  async function chooseSchema(): Promise<void> {
    const vectors = await wantedVectors(db, settings);
    await writer.setSchema(itemsSchemaWith(vectors));
    projection = {
      vectors,
      async onUnembedded(ids) {
        await addPending(db, ids);
        await requestEmbedding(db);
      },
    };
  }

  async function project(loop: LoopControls): Promise<void> {
    stopping = loop.stopping;
    let checkedAt = Number.NEGATIVE_INFINITY;
    let smallWrites = 0;
    while (!loop.stopping()) {
      if (schemaChanged || performance.now() - checkedAt >= usableCheckMs) {
        schemaChanged = false;
        await chooseSchema();
        const unusable = await writer.unusable();
        if (unusable && (await waitAfterFailure(loop, { db, log }, 'index_rebuild'))) continue;
        if (unusable?.damaged) log.error(damageMessage(unusable));
        if (unusable)
          await rebuild(
            unusable.damaged ? 'Rebuilding the damaged search index.' : `Building the search index: ${unusable.message}`,
            // After a restore the index is missing and a rebuild is requested: one serves both.
            await requestedWork('index_rebuild'),
          );
        await recordIndexedModel(db, projection.vectors);
        checkedAt = performance.now();
      }
      loop.expectChanges();
      await loop.confirmLock();
      const requested = await requestedWork('index_rebuild');
      if (requested !== null) {
        await rebuild('Rebuilding the search index on request.', requested);
        continue;
      }
      const compaction = await requestedWork('index_compaction');
      if (compaction !== null) await compact(compaction);
      const changes = await drain(loop);
      smallWrites = changes > 0 && changes < batchSize / 2 ? smallWrites + 1 : 0;
      if (changes === 0) await loop.sleep(2000);
      else if (smallWrites > 0) await loop.collect(Math.min(longestCollectMs, smallWrites * collectStepMs));
    }
  }

  /** The id of a rebuild or compaction that is still to be done, or null. */
  async function requestedWork(key: RebuildKey): Promise<string | null> {
    const state = await readRebuild(db, key);
    return state?.status === 'requested' || state?.status === 'running' ? state.id : null;
  }

  /** Returns how many changes were written. */
  async function drain(loop: LoopControls): Promise<number> {
    await settleSomeFolderMoves(db);
    const { seqs, ids } = await readOutbox(db, batchSize);
    if (seqs.length === 0) return 0;
    try {
      for (const part of await divideByText(db, ids)) {
        const upsert = await documentsOf(db, part, projection);
        const present = new Set(upsert.map((document) => document.id));
        await writer.write({ upsert, remove: part.filter((id) => !present.has(id)) });
      }
    } catch (error) {
      if (!(error instanceof SearchUnavailable && error.rebuild)) throw error;
      if (!(await waitAfterFailure(loop, { db, log }, 'index_rebuild'))) {
        log.error(damageMessage(error));
        await rebuild('Rebuilding the search index.');
      }
      return seqs.length;
    }
    // Before the rows are deleted, so that a crash repeats it.
    await queueChangedItems(db, ids);
    await deleteFromOutbox(db, seqs);
    return seqs.length;
  }

  async function rebuild(why: string, requested: string | null = null): Promise<void> {
    log.info(why);
    const startedAt = performance.now();
    const previousPause = requested === null ? ((await readRebuild(db))?.pause_ms ?? 0) : 0;
    // Recorded also when nobody requested it, so that reap_shadow_indexes leaves the unfinished index alone.
    const id = requested ?? (await requestNewRebuild(db));
    const { total } = one((await sql<{ total: number }>`select count(*) as total from items`.execute(db)).rows);
    let documents = 0;
    let reported = 0;
    const report = async (status: 'running' | 'done' | 'failed', failure?: { error: string; pause_ms: number }): Promise<void> => {
      reported = documents;
      await updateRebuild(db, { id, status, documents, total, error: null, ...failure });
    };
    async function* pages() {
      for await (const page of allDocuments(db, batchSize, projection)) {
        if (stopping()) throw new Error('The worker is stopping; the rebuild starts again in another one.');
        yield page;
        documents += page.length;
        // A page is shorter than a batch where texts are long.
        if (documents - reported >= batchSize * 5) await report('running');
      }
    }
    try {
      await report('running');
      await writer.rebuild(pages());
      await report('done');
      log.info(`The search index has ${documents} documents.`);
    } catch (error) {
      const failure = { error: (error as Error).message, pause_ms: pauseAfter(performance.now() - startedAt, previousPause) };
      // The rebuild error is thrown below; failing to store it as well must not replace it.
      if (!stopping()) await report('failed', failure).catch(() => {});
      throw error;
    }
  }

  async function compact(id: string): Promise<void> {
    const report = (status: 'running' | 'done' | 'failed', error: string | null = null): Promise<void> =>
      updateRebuild(db, { id, status, documents: 0, total: 0, error }, 'index_compaction');
    await report('running');
    try {
      const { storeBytes } = await writer.compact();
      log.info(`The search index was compacted to ${storeBytes} bytes.`);
      await report('done');
    } catch (error) {
      // The compaction error is thrown below; failing to store it as well must not replace it.
      await report('failed', (error as Error).message).catch(() => {});
      throw error;
    }
  }

  const loop = createLockedLoop(
    { database, log },
    {
      name: 'catalog-projector',
      lockKey,
      channel: 'index_outbox',
      failure: 'The search index could not be updated; retrying.',
      onNotification(payload) {
        if (payload === 'schema') schemaChanged = true;
      },
    },
    project,
  );
  return {
    start() {
      loop.start();
      log.debug(`The projector writes to ${settings.searchUrl ?? 'the embedded engine'}.`);
    },
    async stop() {
      await loop.stop();
      await writer.close();
    },
  };
}
