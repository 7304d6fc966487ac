import { join } from 'node:path';
import { type SerializedError, serializeError } from '../errors.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { openSegment, setDeleted } from '../segment/open-segment.ts';
import type { SegmentTable } from '../segment/segment-file.ts';
import { writeSegment } from '../segment/write-segment.ts';
import type { SegmentEntry } from '../store/manifest.ts';
import { threadPort } from '../threads/calls.ts';
import type { Schema } from '../types.ts';
import { addIds, createIdTable } from './writer-segment.ts';

/** A merge to run in this thread, which leaves the writer thread free for documents and commits. */
export interface MergeRequest {
  directory: string;
  schema: Schema;
  sources: { entry: SegmentEntry; deleted: Uint32Array }[];
  target: string;
}

export interface MergeResult {
  bytes: number;
  table: SegmentTable;
  documents: number;
  /** For each source, the new numbers of its documents. */
  maps: Uint32Array[];
  ids: Uint32Array;
}

export type MergeMessage = { result: MergeResult } | { error: SerializedError };

async function merge({ directory, schema, sources, target }: MergeRequest): Promise<MergeResult> {
  const opened = await Promise.all(
    sources.map(async ({ entry, deleted }) => {
      const segment = await openSegment(join(directory, entry.file), entry.bytes, schema);
      setDeleted(segment, deleted);
      return segment;
    }),
  );
  const { draft, maps, ids } = mergeSegments(schema, opened);
  for (const segment of opened) segment.close();
  opened.length = 0;
  const idTable = createIdTable(ids.length);
  addIds(idTable, ids, 0);
  const order = Uint32Array.from(ids, (_, doc) => doc);
  const { bytes, table } = writeSegment(join(directory, target), draft, order);
  return { bytes, table, documents: ids.length, maps, ids: idTable.slots };
}

const port = threadPort();
port.on('message', (request: MergeRequest) => {
  merge(request).then(
    (result) =>
      port.postMessage({ result } satisfies MergeMessage, [
        result.ids.buffer as ArrayBuffer,
        ...result.maps.map((map) => map.buffer as ArrayBuffer),
      ]),
    (error: unknown) => port.postMessage({ error: serializeError(error) } satisfies MergeMessage),
  );
});
