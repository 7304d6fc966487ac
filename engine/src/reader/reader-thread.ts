import { statSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { checkQuery } from '../check-query.ts';
import { EngineError, toPlainError } from '../errors.ts';
import { searchView } from '../query/search.ts';
import { suggestTerms } from '../query/suggest.ts';
import type { View } from '../query/execute.ts';
import { setSmallCell } from '../query/walk.ts';
import { manifestFile } from '../store/manifest.ts';
import { answerCalls } from '../threads/calls.ts';
import type { IndexStats, Query } from '../types.ts';
import { followManifest } from './follow.ts';
import type { ReaderOptions } from './reader.ts';
import { type Listing, startListing } from './listing.ts';

/**
 * The search thread. It answers one query at a time on its view and looks for a newer manifest by itself:
 *
 *   serving → loading   the manifest file changed, or someone asked for the newest
 *   loading → serving   the new segments are read and checked; the views are exchanged between two queries
 *   loading → serving   the loading failed: the old view stays, and the next look tries again
 */
const { directory, options } = workerData as { directory: string; options: ReaderOptions };
if (options.smallCell !== undefined) setSmallCell(options.smallCell);
const lookEveryMs = 250;

let view: View = await followManifest(directory, null).catch((error: unknown) => {
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
    view = await followManifest(directory, view);
    seen = now;
  })().finally(() => {
    following = null;
  });
  return following;
}

const timer = setInterval(() => {
  if (!following && manifestTime() !== seen) follow().catch(() => undefined);
}, lookEveryMs);

function stats(): IndexStats {
  const sum = (of: (segment: View['segments'][number]) => number) => view.segments.reduce((total, segment) => total + of(segment), 0);
  return {
    documents: sum((segment) => segment.liveCount),
    deleted: sum((segment) => segment.documents - segment.liveCount),
    segments: view.segments.length,
    storeBytes: sum((segment) => statSizes(segment.file)),
    usedBytes: sum((segment) => Math.round((statSizes(segment.file) * segment.liveCount) / segment.documents)),
    generation: view.generation,
  };
}

function statSizes(file: string): number {
  return statSync(join(directory, file), { throwIfNoEntry: false })?.size ?? 0;
}

answerCalls(parentPort!, {
  search: (query: Query) => {
    checkQuery(view.schema, query);
    return searchView(view, query);
  },
  suggest: ({ word, limit }: { word: string; limit: number }) => suggestTerms(view, word, limit),
  stats,
  refresh: async () => {
    // A loading that began before the call may have missed the commit.
    await following?.catch(() => undefined);
    await follow();
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
  closeListing: (listing: number) => void listings.delete(listing),
  close: () => {
    clearInterval(timer);
    for (const segment of view.segments) segment.close();
  },
});
parentPort!.postMessage({ call: 0 });
