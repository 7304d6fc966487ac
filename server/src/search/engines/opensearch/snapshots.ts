import { SearchUnavailable } from '../port.ts';
import { type Cluster, isFromAllShards, type NodeResponse, requireOk } from './client.ts';
import { expiredCursor, fitsCursor, foreignCursor } from './cursor.ts';

/** How long the server keeps a snapshot after the last page that was read from it. */
const keepAlive = '5m';
/** The last page may be requested again, for example after a lost connection, so its snapshot is closed a little later. */
const closeAfterMs = 10_000;

/**
 * Snapshots of an index (points in time of the server). A node keeps few of them, 300 by default, so a first page has none: the request that
 * continues it opens one, and all further pages are read from it. Whoever reads the last page calls `finish`; a snapshot that nobody reads any
 * more expires.
 */
export interface Snapshots {
  /** Null when the cluster keeps too many already: pages then continue by their sort values alone. */
  open(): Promise<string | null>;
  /** Searches a snapshot. The answer names the snapshot to use from then on. Throws `cursor_expired` when it is gone. */
  // biome-ignore lint/suspicious/noExplicitAny: the caller checks the parts it uses
  search(snapshot: string, body: object): Promise<{ snapshot: string; body: any }>;
  finish(snapshot: string): void;
  close(): Promise<void>;
}

export function openSnapshots(cluster: Cluster, alias: string): Snapshots {
  const finished = new Map<string, NodeJS.Timeout>();

  const release = async (snapshot: string): Promise<void> => {
    clearTimeout(finished.get(snapshot));
    finished.delete(snapshot);
    await closeSnapshot(cluster, snapshot);
  };
  return {
    async open() {
      const snapshot = await openSnapshot(cluster, alias).catch((error: Error) => {
        if (/too many point in time/i.test(error.message)) return null;
        throw error;
      });
      if (snapshot === null || fitsCursor(snapshot)) return snapshot;
      await closeSnapshot(cluster, snapshot);
      return null;
    },
    async search(snapshot, body) {
      const response = await cluster('/_search', { method: 'POST', body: { ...body, ...fromSnapshot(snapshot) } });
      requireSnapshot(response);
      return { snapshot: String(response.body.pit_id ?? snapshot), body: response.body };
    },
    finish(snapshot) {
      clearTimeout(finished.get(snapshot));
      finished.set(snapshot, setTimeout(() => void release(snapshot), closeAfterMs).unref());
    },
    async close() {
      await Promise.all([...finished.keys()].map(release));
    },
  };
}

/** A part of a snapshot is on one node only, so an answer without some shards cannot be had from another one. */
function requireSnapshot(response: NodeResponse): void {
  if (response.status === 400) throw foreignCursor();
  if (response.status === 404 || (response.status === 200 && !isFromAllShards(response.body))) throw expiredCursor();
  requireOk(response);
  if (!Array.isArray(response.body?.hits?.hits))
    throw new SearchUnavailable('The search server returned an unexpected response to a search.', false);
}

export async function openSnapshot(cluster: Cluster, alias: string): Promise<string> {
  // By default the server opens one that lacks the shards which did not answer.
  const opened = await cluster(`/${alias}/_search/point_in_time?keep_alive=${keepAlive}&allow_partial_pit_creation=false`, {
    method: 'POST',
  });
  requireOk(opened);
  return String(opened.body.pit_id);
}

/** A snapshot that cannot be closed expires. */
export async function closeSnapshot(cluster: Cluster, snapshot: string): Promise<void> {
  await cluster('/_search/point_in_time', { method: 'DELETE', body: { pit_id: [snapshot] } }).catch(() => {});
}

/** The part of a search request that reads from a snapshot. */
export const fromSnapshot = (snapshot: string) => ({ pit: { id: snapshot, keep_alive: keepAlive } });
