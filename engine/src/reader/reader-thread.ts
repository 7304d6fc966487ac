import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import type { View, Segment } from '../segment/types.ts';
import { checkQuery } from '../check-query.ts';
import { EngineError, toPlainError } from '../errors.ts';
import { searchPart, suggestTerms, searchView } from '../query/execute.ts';
import { setSmallCell } from '../query/plan.ts';
import { manifestFile } from '../store/manifest.ts';
import { answerCalls } from '../threads/calls.ts';
import type { IndexStats, Query, ReaderOptions } from '../types.ts';
import { adoptView, followManifest, type SharedView } from './snapshot.ts';
import { pack } from './result-columns.ts';

/** Ids and fingerprints by ascending id, a page at a time. The view of the first page holds to the end. */
export interface Listing {
  page(): { id: string; fingerprint: string }[];
  close(): void;
}

const pageSize = 5000;
const stretch = 4096;

export function startListing(view: View): Listing {
  const { segments } = view;
  for (const segment of segments) segment.hold();
  let heads = view.segments.map((segment) => createHead(segment)).filter((head) => head.advance());
  return {
    page() {
      const page: { id: string; fingerprint: string }[] = [];
      while (heads.length > 0 && page.length < pageSize) {
        let least = heads[0]!;
        for (const head of heads) if (head.id < least.id) least = head;
        page.push({ id: least.id, fingerprint: least.fingerprint });
        const ended = least;
        if (!least.advance()) heads = heads.filter((head) => head !== ended);
      }
      return page;
    },
    close() {
      for (const segment of segments) segment.close();
    },
  };
}

interface Head {
  id: string;
  fingerprint: string;
  advance(): boolean;
}

function createHead(segment: Segment): Head {
  const live = segment.u32.slice(segment.live >>> 2, (segment.live >>> 2) + segment.blocks * 4);
  let doc = -1;
  let from = 0;
  let ids: string[] = [];
  let prints: string[] = [];
  const head: Head = {
    id: '',
    fingerprint: '',
    advance() {
      do doc++;
      while (doc < segment.documents && ((live[doc >>> 5]! >>> (doc & 31)) & 1) === 0);
      if (doc >= segment.documents) return false;
      if (doc >= from + ids.length) {
        from = doc;
        const to = Math.min(doc + stretch, segment.documents);
        ids = segment.ids.slice(from, to);
        prints = segment.prints.slice(from, to);
      }
      head.id = ids[doc - from]!;
      head.fingerprint = prints[doc - from]!;
      return true;
    },
  };
  return head;
}

/**
 * A search thread. It answers one query at a time on its view. The first thread of a reader also looks for newer manifests:
 *
 *   serving → loading   the manifest file changed, or someone asked for the newest
 *   loading → serving   the new segments are read and checked; the views are exchanged between two queries, the other threads are told
 *   loading → serving   the loading failed: the old view stays, and the next look tries again
 *
 * The other threads adopt the views of the first; the memory of a segment is shared by all.
 */
export interface ReaderThreadData {
  directory: string;
  options: ReaderOptions;
  /** Null for the first thread. */
  adopt: SharedView | null;
}

const data = workerData as ReaderThreadData;
const { directory, options } = data;
const isFirst = data.adopt === null;
const lookEveryMs = 250;
if (options.smallCell !== undefined) setSmallCell(options.smallCell);

const tell = (shared: SharedView) => parentPort!.postMessage({ call: -1, value: shared });

async function firstView(): Promise<View> {
  if (!data.adopt) return followManifest(directory, null, tell);
  const view = adoptView(data.adopt, null);
  // Otherwise the memory of segments that are long merged would be held here.
  data.adopt = null;
  return view;
}

let view: View = await firstView().catch((error: unknown) => {
  parentPort!.postMessage({ call: 0, error: toPlainError(error) });
  return process.exit();
});
let seen = manifestTime();
let following: Promise<void> | null = null;
const listings = new Map<number, Listing>();
let nextListing = 1;

function manifestTime(): string {
  try {
    const { mtimeMs, ino, size } = statSync(join(directory, manifestFile));
    return `${mtimeMs}:${ino}:${size}`;
  } catch {
    return '';
  }
}

function follow(): Promise<void> {
  following ??= (async () => {
    const now = manifestTime();
    view = await followManifest(directory, view, tell);
    seen = now;
  })().finally(() => {
    following = null;
  });
  return following;
}

const timer = setInterval(() => {
  if (isFirst && !following && manifestTime() !== seen) follow().catch(() => undefined);
}, lookEveryMs);

function stats(): IndexStats {
  const sum = (of: (segment: View['segments'][number]) => number) => view.segments.reduce((total, segment) => total + of(segment), 0);
  const size = (file: string) => statSync(join(directory, file), { throwIfNoEntry: false })?.size ?? 0;
  return {
    documents: sum((segment) => segment.liveCount),
    deleted: sum((segment) => segment.documents - segment.liveCount),
    segments: view.segments.length,
    storeBytes: sum((segment) => size(segment.file)),
    usedBytes: sum((segment) => Math.round((size(segment.file) * segment.liveCount) / segment.documents)),
    generation: view.generation,
  };
}

answerCalls(parentPort!, {
  search: (query: Query) => {
    checkQuery(view.schema, query);
    return pack(searchView(view, query));
  },
  part: ({ query, share, generation }: { query: Query; share: number[]; generation: number }) => {
    checkQuery(view.schema, query);
    return view.generation === generation ? pack(searchPart(view, query, share)) : null;
  },
  suggest: ({ word, limit }: { word: string; limit: number }) => suggestTerms(view, word, limit),
  stats,
  refresh: async () => {
    // A loading that began before the call may have missed the commit.
    await following?.catch(() => undefined);
    await follow();
  },
  adopt: (shared: SharedView) => {
    if (shared.generation !== view.generation) view = adoptView(shared, view);
  },
  openListing: () => {
    listings.set(nextListing, startListing(view));
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
    for (const segment of view.segments) segment.close();
  },
});
parentPort!.postMessage({ call: 0 });
