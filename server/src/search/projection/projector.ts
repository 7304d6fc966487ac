import { sql } from 'kysely';
import type pg from 'pg';
import { connectClient } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { allDocuments, documentsOf } from '../documents/index.ts';
import { SearchUnavailable, type SearchWriter } from '../engines/index.ts';
import { deleteFromOutbox, readOutbox, readRebuild, writeRebuild } from './store.ts';

/**
 * The projector carries noted changes into the index. One runs in a deployment, whichever worker holds the lock.
 *
 * waiting   another process holds the lock, or the database is away: ask again.
 * draining  holds the lock: reads the oldest notes, writes their documents (items that are gone are removed), then forgets the notes.
 *           A crash between write and forget repeats the write, which changes nothing.
 * building  somebody asked for a rebuild, or the index is missing, damaged or of another version: all documents go to a shadow that is
 *           swapped in at the end. Notes made meanwhile stay and are drained afterwards, so nothing is missed.
 * resting   no notes: sleeps until the database says there are some.
 */
export interface Projector {
  start(): void;
  stop(): Promise<void>;
}

const lockKey = 0x0ca7a10a;
const batchSize = 2000;

export function createProjector({ db, database, log, settings }: Dependencies, writer: SearchWriter): Projector {
  let stopping = false;
  let wake = (): void => {};
  // Told of changes since the last look: a note that commits while the outbox is being read must not wait for the next one.
  let notified = false;
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
        const held = await client.query<{ held: boolean }>('select pg_try_advisory_lock($1) as held', [lockKey]);
        if (held.rows[0]!.held) {
          client.on('notification', () => {
            notified = true;
            wake();
          });
          client.on('end', () => wake());
          await client.query('listen index_outbox');
          pause = 200;
          await project(client);
        }
      } catch (error) {
        log.error('The search index is behind; trying again.', { error });
      } finally {
        await client?.end().catch(() => {});
      }
      if (!stopping) await sleep(pause);
    }
  }

  async function project(client: pg.Client): Promise<void> {
    if (!(await writer.usable())) await rebuild('The search index is missing or of another version; building it.');
    while (!stopping) {
      notified = false;
      // Losing this connection means losing the lock.
      await client.query('select 1');
      const requested = await readRebuild(db);
      if (requested && (requested.status === 'requested' || requested.status === 'running')) {
        await rebuild('Rebuilding the search index as asked.', requested.id);
        continue;
      }
      if (!(await drain()) && !notified) await sleep(2000);
    }
  }

  async function drain(): Promise<boolean> {
    const { seqs, ids } = await readOutbox(db, batchSize);
    if (seqs.length === 0) return false;
    const upsert = await documentsOf(db, ids);
    const present = new Set(upsert.map((document) => document.id));
    try {
      await writer.write({ upsert, remove: ids.filter((id) => !present.has(id)) });
    } catch (error) {
      if (!(error instanceof SearchUnavailable && error.rebuild)) throw error;
      await rebuild(`The search index is damaged (${error.message}); building it again.`);
      return true;
    }
    await deleteFromOutbox(db, seqs);
    return true;
  }

  async function rebuild(why: string, id: string | null = null): Promise<void> {
    log.info(why);
    const total = (await sql<{ total: number }>`select count(*) as total from items`.execute(db)).rows[0]!.total;
    let documents = 0;
    const report = async (status: 'running' | 'done' | 'failed', error: string | null = null): Promise<void> => {
      if (id) await writeRebuild(db, { id, status, documents, total, error });
    };
    async function* pages() {
      for await (const page of allDocuments(db, batchSize)) {
        if (stopping) throw new Error('The worker stops; the rebuild starts again elsewhere.');
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
