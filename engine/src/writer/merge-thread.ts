import { join } from 'node:path';
import { parentPort } from 'node:worker_threads';
import { type PlainError, toPlainError } from '../errors.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { openSegment, setDeleted } from '../segment/open-segment.ts';
import type { SegmentTable } from '../segment/segment-file.ts';
import { writeSegment } from '../segment/write-segment.ts';
import type { SegmentEntry } from '../store/manifest.ts';
import type { Schema } from '../types.ts';
import { addIds, createIdTable } from './writer-segment.ts';

/** Merges what it is told to, one order after the other. The writer stays free for documents and commits meanwhile. */
export interface MergeOrder {
  directory: string;
  schema: Schema;
  sources: { entry: SegmentEntry; deleted: Uint32Array }[];
  target: string;
}

export interface MergeResult {
  bytes: number;
  table: SegmentTable;
  documents: number;
  /** For each source, where its documents are now. */
  maps: Uint32Array[];
  ids: Uint32Array;
}

export type MergeMessage = { result: MergeResult } | { error: PlainError };

async function merge({ directory, schema, sources, target }: MergeOrder): Promise<MergeResult> {
  const opened = await Promise.all(sources.map(({ entry }) => openSegment(join(directory, entry.file), entry.bytes, schema)));
  for (const [index, segment] of opened.entries()) setDeleted(segment, sources[index]!.deleted);
  const { draft, maps, ids } = mergeSegments(schema, opened);
  for (const segment of opened) segment.close();
  opened.length = 0;
  const places = createIdTable(ids.length);
  addIds(places, ids, 0);
  const order = Uint32Array.from(ids, (_, place) => place);
  const { bytes, table } = writeSegment(join(directory, target), draft, order);
  return { bytes, table, documents: ids.length, maps, ids: places.slots };
}

parentPort!.on('message', (order: MergeOrder) => {
  merge(order).then(
    (result) =>
      parentPort!.postMessage({ result } satisfies MergeMessage, [
        result.ids.buffer as ArrayBuffer,
        ...result.maps.map((map) => map.buffer as ArrayBuffer),
      ]),
    (error: unknown) => parentPort!.postMessage({ error: toPlainError(error) } satisfies MergeMessage),
  );
});
