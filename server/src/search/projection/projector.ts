import { sql } from 'kysely';
import type pg from 'pg';
import { addPending, requestEmbedding } from '../../content/embeddings/index.ts';
import { connectClient, one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import {
  allDocuments,
  documentsOf,
  itemsSchemaWith,
  type ProjectionOptions,
  recordIndexedModel,
  wantedVectors,
} from '../documents/index.ts';
import { SearchUnavailable, type SearchWriter } from '../engines/index.ts';
import { deleteFromOutbox, readOutbox, readRebuild, requestRebuild, writeRebuild } from './store.ts';

/**
 * The projector writes the changes recorded in the outbox into the index. One runs in a deployment, in the worker that holds the lock.
 *
 * waiting   another process holds the lock, or the database is unavailable: retries.
 * draining  holds the lock: reads the oldest outbox rows, writes their documents, removes documents of deleted items, then deletes the rows.
 *           A crash before the deletion repeats the write, which is idempotent.
 * building  a rebuild was requested, or the index is missing, damaged or of another version: all documents go into a shadow index that is
 *           swapped in at the end. Outbox rows added meanwhile are drained afterwards, so no change is missed.
 * idle      the outbox is empty: sleeps until the database notifies. Checks now and then whether the index still exists, because a search
 *           server can lose its data while nothing changes.
 */
export interface Projector {
  start(): void;
  stop(): Promise<void>;
}

const lockKey = 0x0ca7a10a;
const batchSize = 2000;
const usableCheckMs = 10_000;

const damageMessage = ({ message, damaged }: SearchUnavailable): string =>
  `The search index ${damaged ? 'is damaged' : 'cannot be written'}: ${message} It is being rebuilt from the database.`;

/** For readers: logs damage once per message and asks the worker for a rebuild, unless one is under way. */
export function createDamageReport({ db, log }: Pick<Dependencies, 'db' | 'log'>): (error: SearchUnavailable) => void {
  let reported = '';
  return (error) => {
    if (error.message === reported) return;
    reported = error.message;
    log.error(damageMessage(error));
    requestRebuild(db).catch((failure: unknown) => {
      reported = '';
      log.warning('The rebuild of the search index could not be requested.', { error: failure });
    });
  };
}

export function createProjector({ db, database, log, settings }: Dependencies, writer: SearchWriter): Projector {
  let stopping = false;
  let wake = (): void => {};
  // Set by a notification: a change that commits while the outbox is being read must not wait for the next one.
  let notified = false;
  // Set when the worker has loaded another embedding model.
  let schemaChanged = false;
  let running: Promise<void> = Promise.resolve();
  const sleep = (ms: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });

  async function runLoop(): Promise<void> {
    for (let pause = 200; !stopping; pause = Math.min(pause * 2, 10_000)) {
      let client: pg.Client | undefined;
      try {
        client = await connectClient(database.address, 'catalog-projector');
        const acquired = await client.query<{ acquired: boolean }>('select pg_try_advisory_lock($1) as acquired', [lockKey]);
        if (one(acquired.rows).acquired) {
          client.on('notification', ({ payload }) => {
            notified = true;
            if (payload === 'schema') schemaChanged = true;
            wake();
          });
          client.on('end', () => wake());
          await client.query('listen index_outbox');
          pause = 200;
          await project(client);
        }
      } catch (error) {
        log.error('The search index could not be updated; retrying.', { error });
      } finally {
        // The connection is broken or about to be replaced; there is nothing left to close properly.
        await client?.end().catch(() => {});
      }
      if (!stopping) await sleep(pause);
    }
  }

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

  async function project(client: pg.Client): Promise<void> {
    let checkedAt = Number.NEGATIVE_INFINITY;
    while (!stopping) {
      if (schemaChanged || performance.now() - checkedAt >= usableCheckMs) {
        schemaChanged = false;
        await chooseSchema();
        const unusable = await writer.unusable();
        if (unusable?.damaged) log.error(damageMessage(unusable));
        if (unusable)
          await rebuild(unusable.damaged ? 'Rebuilding the damaged search index.' : `Building the search index: ${unusable.message}`);
        await recordIndexedModel(db, projection.vectors);
        checkedAt = performance.now();
      }
      notified = false;
      // Fails when the connection, and with it the lock, is lost.
      await client.query('select 1');
      const requested = await readRebuild(db);
      if (requested && (requested.status === 'requested' || requested.status === 'running')) {
        await rebuild('Rebuilding the search index on request.', requested.id);
        continue;
      }
      if (!(await drain()) && !notified) await sleep(2000);
    }
  }

  async function drain(): Promise<boolean> {
    const { seqs, ids } = await readOutbox(db, batchSize);
    if (seqs.length === 0) return false;
    const upsert = await documentsOf(db, ids, projection);
    const present = new Set(upsert.map((document) => document.id));
    try {
      await writer.write({ upsert, remove: ids.filter((id) => !present.has(id)) });
    } catch (error) {
      if (!(error instanceof SearchUnavailable && error.rebuild)) throw error;
      log.error(damageMessage(error));
      await rebuild('Rebuilding the search index.');
      return true;
    }
    await deleteFromOutbox(db, seqs);
    return true;
  }

  async function rebuild(why: string, id: string | null = null): Promise<void> {
    log.info(why);
    const { total } = one((await sql<{ total: number }>`select count(*) as total from items`.execute(db)).rows);
    let documents = 0;
    const report = async (status: 'running' | 'done' | 'failed', error: string | null = null): Promise<void> => {
      if (id) await writeRebuild(db, { id, status, documents, total, error });
    };
    async function* pages() {
      for await (const page of allDocuments(db, batchSize, projection)) {
        if (stopping) throw new Error('The worker is stopping; the rebuild starts again in another one.');
        yield page;
        documents += page.length;
        if (documents % (batchSize * 5) === 0) await report('running');
      }
    }
    try {
      await report('running');
      await writer.rebuild(pages());
      await report('done');
      log.info(`The search index has ${documents} documents.`);
    } catch (error) {
      // The rebuild error is thrown below; failing to store it as well must not replace it.
      if (!stopping) await report('failed', (error as Error).message).catch(() => {});
      throw error;
    }
  }

  return {
    start() {
      running = runLoop();
      log.debug(`The projector writes to ${settings.searchUrl ?? 'the embedded engine'}.`);
    },
    async stop() {
      stopping = true;
      wake();
      await running;
      await writer.close();
    },
  };
}
