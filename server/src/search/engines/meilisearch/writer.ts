import { setTimeout as sleep } from 'node:timers/promises';
import type { Document, Schema } from '@catalog/engine';
import type { EnqueuedTask, Meilisearch } from 'meilisearch';
import { type SearchWriter, SearchUnavailable } from '../port.ts';
import { withUnavailable } from './failure.ts';
import { statsOf } from './reader.ts';
import { settingsOf, versionWord } from './settings.ts';

export interface WriterOptions {
  uid: string;
  schema: Schema;
  cutoffMs: number;
  /** How long a write waits for its task; a task still queued then is trusted. 0 does not wait. */
  ackSeconds: number;
  rebuildWaitSeconds: number;
  compactionWaitSeconds: number;
}

/** The server works through tasks; a write is one task whose outcome is asked for. */
export function meilisearchWriter(client: Meilisearch, options: WriterOptions): SearchWriter {
  const { uid, schema, cutoffMs, ackSeconds, rebuildWaitSeconds, compactionWaitSeconds } = options;
  const shadowPrefix = `${uid}_shadow_`;

  /** True when the task is done, false when it is still under way at the end of our patience; a failed task throws the server's words. */
  async function waitForTask(task: Pick<EnqueuedTask, 'taskUid'>, seconds: number): Promise<boolean> {
    for (const end = Date.now() + seconds * 1000; ; ) {
      const { status, error } = await client.tasks.getTask(task.taskUid);
      if (status === 'succeeded') return true;
      if (status === 'failed' || status === 'canceled')
        throw new SearchUnavailable(`The search server refused a write: ${error?.message ?? status}`, error?.code === 'index_not_found');
      if (status !== 'enqueued' && status !== 'processing')
        throw new SearchUnavailable('The search server answers something else than a task.', false);
      if (Date.now() >= end) return false;
      await sleep(Math.min(250, Math.max(10, end - Date.now())));
    }
  }

  async function requireTask(task: Pick<EnqueuedTask, 'taskUid'>, what: string): Promise<void> {
    if (!(await waitForTask(task, rebuildWaitSeconds))) throw new SearchUnavailable(`The search server is still busy with ${what}.`, false);
  }

  async function createIndex(name: string): Promise<void> {
    await requireTask(await client.createIndex(name, { primaryKey: 'id' }), 'making an index');
    await requireTask(await client.index(name).updateSettings(settingsOf(schema, cutoffMs)), 'the settings of an index');
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
      // The server may lag behind by a few pages, not by the whole catalog.
      if (tasks.length > 8) await requireTask(tasks.shift()!, 'a page of documents');
    }
    for (const task of tasks) await requireTask(task, 'a page of documents');
    return documents;
  }

  return {
    write: ({ upsert, remove }) =>
      withUnavailable(async () => {
        // Writing to an index that is not there would make one without settings.
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
    usable: () =>
      withUnavailable(async () => {
        if (!(await exists(uid))) return false;
        const { dictionary } = await client.index(uid).getSettings();
        return dictionary?.includes(versionWord(schema)) ?? false;
      }),
    rebuild: (pages) =>
      withUnavailable(async () => {
        const shadow = `${shadowPrefix}${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`;
        try {
          const documents = await build(shadow, pages);
          // A swap needs two indexes.
          if (!(await exists(uid))) await createIndex(uid);
          await requireTask(await client.swapIndexes([{ indexes: [uid, shadow], rename: false }]), 'swapping indexes');
          return { documents };
        } finally {
          // After the swap this is the old index; after a failure the unfinished one. What cannot be removed now is reaped later.
          await client.deleteIndex(shadow).catch(() => {});
        }
      }),
    compact: () =>
      withUnavailable(async () => {
        // Longer than our patience is reported by the size that remains, not failed.
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

/** A document as the server keeps it: a path becomes the list of its folders, because the server knows no paths; nothing is null. */
export function storedDocument(document: Document, { scope }: Schema): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(document)) if (value !== null && value !== undefined) stored[field] = value;
  if (scope && typeof document[scope] === 'string') stored[scope] = foldersOf(document[scope]);
  return stored;
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
