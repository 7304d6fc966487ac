import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Schema } from '@catalog/engine';
import type { EnqueuedTask, Meilisearch } from 'meilisearch';
import { SearchUnavailable, type SearchWriter } from '../port.ts';
import { withUnavailable } from './failure.ts';
import { scopeKey } from './filter.ts';
import { statsOf } from './reader.ts';
import { foldersField, meaningField, settingsOf, versionWord } from './settings.ts';

interface WriterOptions {
  uid: string;
  schema: Schema;
  cutoffMs: number;
  /** How long a write waits for its task; after that it is assumed to succeed. 0 does not wait. */
  ackSeconds: number;
  rebuildWaitSeconds: number;
  compactionWaitSeconds: number;
}

/** The server performs writes as asynchronous tasks; the writer polls their outcome. */
export function meilisearchWriter(client: Meilisearch, options: WriterOptions): SearchWriter {
  const { uid, cutoffMs, ackSeconds, rebuildWaitSeconds, compactionWaitSeconds } = options;
  let { schema } = options;
  const shadowPrefix = `${uid}_shadow_`;

  /** True when the task succeeded, false when it is still running after `seconds`; throws the server's message when it failed. */
  async function waitForTask(task: Pick<EnqueuedTask, 'taskUid'>, seconds: number): Promise<boolean> {
    for (const end = Date.now() + seconds * 1000; ; ) {
      const { status, error } = await client.tasks.getTask(task.taskUid);
      if (status === 'succeeded') return true;
      if (status === 'failed' || status === 'canceled')
        throw new SearchUnavailable(`The search server rejected a write: ${error?.message ?? status}`, error?.code === 'index_not_found');
      if (status !== 'enqueued' && status !== 'processing')
        throw new SearchUnavailable('The search server returned an unexpected response to a task query.', false);
      if (Date.now() >= end) return false;
      await sleep(Math.min(250, Math.max(10, end - Date.now())));
    }
  }

  async function requireTask(task: Pick<EnqueuedTask, 'taskUid'>, what: string): Promise<void> {
    if (!(await waitForTask(task, rebuildWaitSeconds))) throw new SearchUnavailable(`The search server is still busy with ${what}.`, false);
  }

  async function createIndex(name: string): Promise<void> {
    await requireTask(await client.createIndex(name, { primaryKey: 'id' }), 'creating an index');
    await requireTask(await client.index(name).updateSettings(settingsOf(schema, cutoffMs)), 'the index settings');
  }

  async function exists(name: string): Promise<boolean> {
    try {
      await client.getRawIndex(name);
      return true;
    } catch (error) {
      if ((error as { cause?: { code?: string } }).cause?.code === 'index_not_found') return false;
      throw error;
    }
  }

  async function build(shadow: string, pages: AsyncIterable<readonly Document[]>): Promise<number> {
    await createIndex(shadow);
    let documents = 0;
    const tasks: { taskUid: number }[] = [];
    for await (const page of pages) {
      tasks.push(
        await client.index(shadow).addDocuments(
          page.map((each) => storedDocument(each, schema)),
          { primaryKey: 'id' },
        ),
      );
      documents += page.length;
      // The server may be a few pages behind, but must not queue the whole catalog.
      const oldest = tasks.length > 8 ? tasks.shift() : undefined;
      if (oldest) await requireTask(oldest, 'a page of documents');
    }
    for (const task of tasks) await requireTask(task, 'a page of documents');
    return documents;
  }

  return {
    async setSchema(next) {
      schema = next;
    },
    write: ({ upsert, remove }) =>
      withUnavailable(async () => {
        // The server would create a missing index without settings.
        if (!(await exists(uid))) throw new SearchUnavailable('The search server has no index.', true);
        const tasks: { taskUid: number }[] = [];
        if (remove.length > 0) tasks.push(await client.index(uid).deleteDocuments([...remove]));
        if (upsert.length > 0)
          tasks.push(
            await client.index(uid).addDocuments(
              upsert.map((each) => storedDocument(each, schema)),
              { primaryKey: 'id' },
            ),
          );
        if (ackSeconds > 0) for (const task of tasks) await waitForTask(task, ackSeconds);
      }),
    unusable: () =>
      withUnavailable(async () => {
        if (!(await exists(uid))) return new SearchUnavailable('The search server has no index.', true);
        const { dictionary } = await client.index(uid).getSettings();
        return dictionary?.includes(versionWord(schema)) ? null : new SearchUnavailable('The index is of another version.', true);
      }),
    rebuild: (pages) =>
      withUnavailable(async () => {
        const shadow = `${shadowPrefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
        try {
          const documents = await build(shadow, pages);
          // A swap needs two indexes. Without settings the empty one is not usable, so it is not taken for a complete one if the swap fails.
          if (!(await exists(uid))) await requireTask(await client.createIndex(uid, { primaryKey: 'id' }), 'creating an index');
          await requireTask(await client.swapIndexes([{ indexes: [uid, shadow], rename: false }]), 'swapping indexes');
          return { documents };
        } finally {
          // After the swap this is the old index, after a failure the unfinished one. reapShadows removes it later if this fails,
          // and must not meet an index that is just being removed.
          await client
            .deleteIndex(shadow)
            .then((task) => waitForTask(task, Math.max(1, ackSeconds)))
            .catch(() => {});
        }
      }),
    compact: () =>
      withUnavailable(async () => {
        // A compaction that takes longer is not a failure; the returned size shows its effect.
        await waitForTask(await client.index(uid).compact(), compactionWaitSeconds);
        return statsOf(client, uid);
      }),
    stats: () => withUnavailable(() => statsOf(client, uid)),
    reapShadows: (olderThanMs) =>
      withUnavailable(async () => {
        const { results } = await client.getRawIndexes({ limit: 1000 });
        const old = results.filter(
          ({ uid: name, createdAt }) => name.startsWith(shadowPrefix) && Date.now() - Date.parse(String(createdAt)) > olderThanMs,
        );
        for (const { uid: name } of old) await waitForTask(await client.deleteIndex(name), Math.max(1, ackSeconds));
        return old.length;
      }),
    async close() {},
  };
}

/** A document for the server: null fields are left out, the vector has a field of its own, and the path becomes the digests of its folders, because the server has no path type. */
function storedDocument({ [meaningField]: vector, ...document }: Document, { scope, vector: vectors }: Schema): Record<string, unknown> {
  // Without a vector the field must be null: the server refuses documents that say nothing about it.
  const stored: Record<string, unknown> = vectors
    ? { _vectors: { [vectors.name]: vector instanceof Float32Array ? Array.from(vector) : null } }
    : {};
  for (const [field, value] of Object.entries(document)) if (value !== null && value !== undefined) stored[field] = value;
  if (scope && typeof document[scope] === 'string') {
    delete stored[scope];
    stored[foldersField] = foldersOf(document[scope]).map(scopeKey);
  }
  return stored;
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
