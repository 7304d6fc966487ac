// biome-ignore-all lint/style/noNonNullAssertion: document numbers are below the number of documents in the segment
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { checkQuery } from '../check-query.ts';
import { EngineError, serializeError } from '../errors.ts';
import { searchShare, searchSnapshot, suggestTerms } from '../query/execute.ts';
import { setSmallCell } from '../query/plan.ts';
import type { RowShare } from '../query/vector-candidates.ts';
import { type NearDocument, nearestOfShare, searchVectors } from '../query/vectors.ts';
import { setTightScratch, verifySegments } from '../segment/open-segment.ts';
import type { IndexSnapshot, Segment } from '../segment/types.ts';
import { manifestFile } from '../store/manifest.ts';
import { serveCalls, threadPort } from '../threads/calls.ts';
import type { IndexStats, Query, ReaderOptions } from '../types.ts';
import { packResult } from './result-columns.ts';
import { adoptSnapshot, loadNewestSnapshot, type SharedSnapshot } from './snapshot.ts';

/** Pages of ids and fingerprints in id order, from the snapshot at the time of opening. */
interface IdListing {
  page(): { id: string; fingerprint: string }[];
  close(): void;
}

const pageSize = 5000;
const idsPerRead = 4096;

function openIdListing(snapshot: IndexSnapshot): IdListing {
  const { segments } = snapshot;
  for (const segment of segments) segment.retain();
  let listed = snapshot.segments.map((segment) => openListedSegment(segment)).filter((current) => current.advance());
  return {
    page() {
      const page: { id: string; fingerprint: string }[] = [];
      while (page.length < pageSize) {
        let [least] = listed;
        if (least === undefined) break;
        for (const current of listed) if (current.id < least.id) least = current;
        page.push({ id: least.id, fingerprint: least.fingerprint });
        const ended = least;
        if (!least.advance()) listed = listed.filter((current) => current !== ended);
      }
      return page;
    },
    close() {
      for (const segment of segments) segment.close();
    },
  };
}

interface ListedSegment {
  id: string;
  fingerprint: string;
  advance(): boolean;
}

function openListedSegment(segment: Segment): ListedSegment {
  const live = segment.u32.slice(segment.live >>> 2, (segment.live >>> 2) + segment.blocks * 4);
  let doc = -1;
  let from = 0;
  let ids: string[] = [];
  let fingerprints: string[] = [];
  const current: ListedSegment = {
    id: '',
    fingerprint: '',
    advance() {
      do doc++;
      while (doc < segment.documents && ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 0);
      if (doc >= segment.documents) return false;
      if (doc >= from + ids.length) {
        from = doc;
        const to = Math.min(doc + idsPerRead, segment.documents);
        ids = segment.ids.slice(from, to);
        fingerprints = segment.fingerprints.slice(from, to);
      }
      current.id = ids[doc - from]!;
      current.fingerprint = fingerprints[doc - from]!;
      return true;
    },
  };
  return current;
}

/**
 * A search thread, which runs one query at a time on its snapshot. The first thread of a reader also watches the manifest.
 *
 *  serving → loading   the manifest file has changed, or a refresh was requested
 *  loading → serving   the new segments are read and verified; the snapshot is replaced between two queries and sent to the other threads
 *  loading → serving   loading failed: the old snapshot stays, and the next poll retries
 *
 * The other threads adopt the snapshots of the first; all threads share the memory of a segment.
 */
export interface ReaderThreadData {
  directory: string;
  options: ReaderOptions;
  /** Null for the first thread. */
  adopt: SharedSnapshot | null;
}

const port = threadPort();
const data = workerData as ReaderThreadData;
const { directory, options } = data;
const isFirst = data.adopt === null;
const pollIntervalMs = 250;
if (options.smallCell !== undefined) setSmallCell(options.smallCell);
if (options.tightScratch) setTightScratch(true);

const publishSnapshot = (shared: SharedSnapshot) => port.postMessage({ call: -1, value: shared });

async function loadFirstSnapshot(): Promise<IndexSnapshot> {
  if (!data.adopt) return loadNewestSnapshot(directory, null, publishSnapshot);
  const snapshot = adoptSnapshot(data.adopt, null);
  // Drops the reference, which would keep the memory of merged segments alive.
  data.adopt = null;
  return snapshot;
}

// Read before loading, so that a commit during the load is noticed.
let loadedVersion = manifestVersion();
let snapshot: IndexSnapshot = await loadFirstSnapshot().catch((error: unknown) => {
  port.postMessage({ call: 0, error: serializeError(error) });
  return process.exit();
});
let loading: Promise<void> | null = null;
const listings = new Map<number, IdListing>();
let nextListing = 1;

function manifestVersion(): string {
  try {
    const { mtimeMs, ino, size } = statSync(join(directory, manifestFile));
    return `${mtimeMs}:${ino}:${size}`;
  } catch {
    // The next load reports a missing manifest.
    return '';
  }
}

function reload(): Promise<void> {
  loading ??= (async () => {
    const now = manifestVersion();
    snapshot = await loadNewestSnapshot(directory, snapshot, publishSnapshot);
    loadedVersion = now;
  })().finally(() => {
    loading = null;
  });
  return loading;
}

const timer = setInterval(() => {
  // After a failure the old snapshot stays and the next poll retries; `refresh` reports the error.
  if (isFirst && !loading && manifestVersion() !== loadedVersion) reload().catch(() => undefined);
}, pollIntervalMs);

function stats(): IndexStats {
  const sum = (of: (segment: IndexSnapshot['segments'][number]) => number) =>
    snapshot.segments.reduce((total, segment) => total + of(segment), 0);
  const size = (file: string) => statSync(join(directory, file), { throwIfNoEntry: false })?.size ?? 0;
  return {
    documents: sum((segment) => segment.liveCount),
    deleted: sum((segment) => segment.documents - segment.liveCount),
    segments: snapshot.segments.length,
    storeBytes: sum((segment) => size(segment.file)),
    usedBytes: sum((segment) => Math.round((size(segment.file) * segment.liveCount) / segment.documents)),
    generation: snapshot.generation,
  };
}

serveCalls(port, {
  search: (query: Query) => {
    checkQuery(snapshot.schema, query);
    return packResult(searchSnapshot(snapshot, query));
  },
  part: ({ query, share, generation }: { query: Query; share: number[]; generation: number }) => {
    checkQuery(snapshot.schema, query);
    return snapshot.generation === generation ? packResult(searchShare(snapshot, query, share)) : null;
  },
  nearest: ({ query, share, generation }: { query: Query; share: RowShare; generation: number }) => {
    checkQuery(snapshot.schema, query);
    return snapshot.generation === generation ? { generation, found: nearestOfShare(snapshot, query, share) } : null;
  },
  searchNear: ({ query, found, generation }: { query: Query; found: NearDocument[]; generation: number }) =>
    snapshot.generation === generation ? packResult(searchVectors(snapshot, query, found)) : null,
  suggest: ({ word, limit }: { word: string; limit: number }) => suggestTerms(snapshot, word, limit),
  stats,
  verify: () => verifySegments(snapshot.segments),
  refresh: async () => {
    // A load that started before this call may have missed the newest commit; its error is irrelevant because another load follows.
    await loading?.catch(() => undefined);
    await reload();
  },
  adopt: (shared: SharedSnapshot) => {
    if (shared.generation !== snapshot.generation) snapshot = adoptSnapshot(shared, snapshot);
  },
  openListing: () => {
    listings.set(nextListing, openIdListing(snapshot));
    return nextListing++;
  },
  pageListing: (listing: number) => {
    const own = listings.get(listing);
    if (!own) throw new EngineError('closed', 'The listing is closed.');
    return own.page();
  },
  closeListing: (listing: number) => {
    listings.get(listing)?.close();
    listings.delete(listing);
  },
  close: () => {
    clearInterval(timer);
    for (const segment of snapshot.segments) segment.close();
  },
});
port.postMessage({ call: 0 });
