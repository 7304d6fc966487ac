import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { toPlainError } from '../errors.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { openSegment, setDeleted } from '../segment/open-segment.ts';
import { writeSegment } from '../segment/write-segment.ts';
import type { SegmentEntry } from '../store/manifest.ts';
import type { Schema } from '../types.ts';
import { addId, createIdTable } from './id-table.ts';

/** Merges what it was started with, tells the result, and ends. The writer stays free for documents and commits meanwhile. */
export interface MergeOrder {
  directory: string;
  schema: Schema;
  sources: { entry: SegmentEntry; deleted: Uint32Array }[];
  target: string;
}

export interface MergeResult {
  bytes: number;
  documents: number;
  /** For each source, where its documents are now. */
  maps: Uint32Array[];
  ids: Uint32Array;
}

const { directory, schema, sources, target } = workerData as MergeOrder;
try {
  const opened = await Promise.all(sources.map(({ entry }) => openSegment(join(directory, entry.file), entry.bytes, schema)));
  for (const [index, segment] of opened.entries()) setDeleted(segment, sources[index]!.deleted);
  const { draft, maps } = mergeSegments(schema, opened);
  for (const segment of opened) segment.close();
  opened.length = 0;
  const table = createIdTable(draft.count);
  for (const [doc, id] of draft.ids.entries()) addId(table, id, doc);
  const { bytes } = writeSegment(join(directory, target), draft, null);
  const result: MergeResult = { bytes, documents: draft.count, maps, ids: table.slots };
  parentPort!.postMessage({ result }, [table.slots.buffer as ArrayBuffer, ...maps.map((map) => map.buffer as ArrayBuffer)]);
} catch (error) {
  parentPort!.postMessage({ error: toPlainError(error) });
}
