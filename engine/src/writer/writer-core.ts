// biome-ignore-all lint/style/noNonNullAssertion: sources, deletes and ids are parallel arrays
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkId } from '../check-document.ts';
import { EngineError } from '../errors.ts';
import { checkSchema, normalizeSchema, schemaHash } from '../schema.ts';
import type { DocumentBatch } from '../segment/document-batch.ts';
import {
  addDocument,
  bufferedSize,
  buildDraft,
  createBatchReader,
  createDocumentBuffer,
  type DocumentBuffer,
  deleteId,
  hashOfId,
} from '../segment/document-buffer.ts';
import { writeSegment } from '../segment/write-segment.ts';
import { acquireLock, removeLeftovers } from '../store/directory.ts';
import { type Manifest, readManifestSync, type SegmentEntry, writeDeletes, writeManifest } from '../store/manifest.ts';
import { fromCodeUnits, toCodeUnits } from '../text/index.ts';
import type { IndexStats, Schema } from '../types.ts';
import type { MergeRequest, MergeResult } from './merge-thread.ts';
import { addHash, createIdTable, deleteById, listDeleted, openWriterSegment, type WriterSegment } from './writer-segment.ts';

/**
 * The states of a document in the writer:
 *
 *  buffered   in memory; replaced by a later document with the same id, lost by a crash
 *  flushed    in a segment file that no manifest lists; after a crash the next writer removes the file
 *  committed  in a segment that the manifest lists
 *  deleted    still in its segment, but in the segment's delete list; removed by the next merge
 *
 * A commit writes the buffered documents as a segment and a new delete list for every segment with new deletes, makes both durable, and
 * then replaces the manifest with one rename. A crash leaves the old state before the rename and the new state after it. A merge replaces
 * committed segments by one with the same live documents, and carries over deletes that arrived meanwhile.
 */
interface WriterCore {
  /** Accepts validated documents. */
  upsert(batch: DocumentBatch): Promise<void>;
  delete(ids: readonly string[]): void;
  commit(): Promise<IndexStats>;
  stats(): IndexStats;
  /** Returns the merge thread's input for merging these segments. */
  planMerge(sources: readonly WriterSegment[]): MergeRequest;
  installMerge(sources: readonly WriterSegment[], request: MergeRequest, result: MergeResult): Promise<void>;
  segments(): readonly WriterSegment[];
  close(): void;
}

/** The buffer is flushed at these limits, so that memory stays bounded in long batches. */
const flushDocuments = 500_000;
const flushSize = 150_000_000;
/** Terms and values have 24-bit numbers while they are sorted. */
const flushEntries = 16_000_000;
const flushTerms = 4_000_000;

const isFull = (buffer: DocumentBuffer) =>
  buffer.count >= flushDocuments ||
  buffer.columns.stream.length >= flushEntries ||
  buffer.terms.count() >= flushTerms ||
  bufferedSize(buffer) >= flushSize;

export async function openWriterCore(directory: string, schema: Schema): Promise<WriterCore> {
  checkSchema(schema);
  let manifest = readManifestSync(directory);
  const lock = acquireLock(directory);
  let segments: WriterSegment[] = [];
  try {
    manifest = readManifestSync(directory);
    if (schemaHash(manifest.schema) !== schemaHash(schema)) {
      throw new EngineError('schema_mismatch', `The index was built with another schema (version ${manifest.schema.version}). Rebuild it.`);
    }
    removeLeftovers(directory, manifest);
    for (const entry of manifest.segments) segments.push(await openWriterSegment(directory, entry, null));
  } catch (error) {
    for (const segment of segments) segment.close();
    lock.release();
    throw error;
  }
  const plain = normalizeSchema(schema);
  let buffer: DocumentBuffer = createDocumentBuffer(plain);

  const newFileStem = (): string => `s-${(manifest.generation + 1).toString(36)}-${randomBytes(6).toString('hex')}`;

  /** Each id has at most one live document, in memory or in one segment. */
  const removeFromSegments = (hash: number, id: () => string) => {
    for (const segment of segments) if (deleteById(segment, hash, id)) return;
  };

  const flush = async () => {
    if (buffer.liveCount > 0) {
      const file = `${newFileStem()}.seg`;
      const { draft, order, hashes } = buildDraft(buffer);
      const { bytes, table } = writeSegment(join(directory, file), draft, order);
      const idTable = createIdTable(order.length);
      for (let doc = 0; doc < hashes.length; doc++) addHash(idTable, hashes[doc]!, doc);
      segments.push(await openWriterSegment(directory, { file, bytes, documents: order.length, deletes: null }, { table, ids: idTable }));
    }
    buffer.terms.clear();
    buffer = createDocumentBuffer(plain, buffer.terms);
  };

  const stats = (): IndexStats => {
    const named = segments.filter((segment) => segment.committed);
    const sum = (of: (segment: WriterSegment) => number) => named.reduce((total, segment) => total + of(segment), 0);
    const deletedCount = (segment: WriterSegment) => segment.entry.deletes?.count ?? 0;
    return {
      documents: sum((segment) => segment.entry.documents - deletedCount(segment)),
      deleted: sum(deletedCount),
      segments: named.length,
      storeBytes: sum((segment) => segment.entry.bytes + deletedCount(segment) * 4),
      usedBytes: sum((segment) =>
        Math.round((segment.entry.bytes * (segment.entry.documents - deletedCount(segment))) / segment.entry.documents),
      ),
      generation: manifest.generation,
    };
  };

  /** Writes the new manifest, then removes files that only the old one listed. */
  const replaceManifest = (next: Manifest) => {
    const old = manifest;
    try {
      writeManifest(directory, next);
    } catch (error) {
      // If only the sync after the rename failed, the new manifest is on disk, and its generation must not be used again.
      manifest = { ...old, generation: readManifestSync(directory).generation };
      throw error;
    }
    manifest = next;
    const named = new Set(next.segments.flatMap((entry) => [entry.file, entry.deletes?.file]));
    for (const file of old.segments.flatMap((entry) => [entry.file, entry.deletes?.file])) {
      if (file !== undefined && !named.has(file)) rmSync(join(directory, file), { force: true });
    }
  };

  /** Writes a segment's delete list to a new file, and returns the manifest entry. */
  const entryWithDeletes = (entry: SegmentEntry, documents: Uint32Array): SegmentEntry => {
    if (documents.length === 0) return { ...entry, deletes: null };
    const file = `${entry.file.slice(0, -'.seg'.length)}.${(manifest.generation + 1).toString(36)}.del`;
    writeDeletes(directory, file, documents);
    return { ...entry, deletes: { file, count: documents.length } };
  };

  /** Removes the file of a merge that could not be installed: the next one writes another, and the disk may be full. */
  const discardFile = (file: string) => {
    // If only the sync after the rename failed, the manifest on disk lists it.
    const listed = readManifestSync(directory).segments.some((entry) => entry.file === file);
    if (!listed) rmSync(join(directory, file), { force: true });
  };

  return {
    async upsert(batch) {
      const reader = createBatchReader(batch);
      for (let left = batch.documents; left > 0; left--) {
        const from = reader.unit;
        const to = from + batch.lengths[reader.length]!;
        removeFromSegments(hashOfId(batch.units, from, to), () => fromCodeUnits(batch.units, from, to));
        addDocument(buffer, reader);
        if (isFull(buffer)) await flush();
      }
    },
    delete(ids) {
      ids.forEach(checkId);
      for (const id of ids) {
        const units = toCodeUnits(id);
        const hash = hashOfId(units, 0, units.length);
        if (!deleteId(buffer, units, 0, units.length, hash)) removeFromSegments(hash, () => id);
      }
    },
    async commit() {
      await flush();
      const changed = segments.some((segment) => !segment.committed || segment.pending.length > 0);
      if (!changed) return stats();
      const kept = segments.filter((segment) => segment.deletedCount < segment.entry.documents);
      const entries = new Map(
        kept.map((segment) => [
          segment,
          segment.pending.length > 0 ? entryWithDeletes(segment.entry, listDeleted(segment)) : segment.entry,
        ]),
      );
      replaceManifest({ ...manifest, generation: manifest.generation + 1, segments: [...entries.values()] });
      for (const segment of segments) {
        segment.entry = entries.get(segment) ?? segment.entry;
        segment.committed = true;
        segment.pending = [];
        if (!entries.has(segment)) segment.close();
      }
      segments = kept;
      return stats();
    },
    stats,
    planMerge: (sources) => ({
      directory,
      schema: plain,
      sources: sources.map((segment) => ({ entry: segment.entry, deleted: committedDeletes(segment) })),
      target: `${newFileStem()}.seg`,
    }),
    async installMerge(sources, request, result) {
      const entry = { file: request.target, bytes: result.bytes, documents: result.documents, deletes: null };
      const merged = await openWriterSegment(directory, entry, { table: result.table, ids: { slots: result.ids } });
      merged.committed = true;
      for (const [index, source] of sources.entries())
        carryOverDeletes(source, request.sources[index]!.deleted, result.maps[index]!, merged);
      const pending = new Set(merged.pending);
      const committed = listDeleted(merged).filter((doc) => !pending.has(doc));
      const rest = segments.filter((segment) => !sources.includes(segment));
      const empty = committed.length === merged.entry.documents;
      const named = rest.filter((segment) => segment.committed).map((segment) => segment.entry);
      try {
        merged.entry = empty ? merged.entry : entryWithDeletes(merged.entry, committed);
        replaceManifest({ ...manifest, generation: manifest.generation + 1, segments: empty ? named : [...named, merged.entry] });
      } catch (error) {
        merged.close();
        discardFile(request.target);
        throw error;
      }
      for (const source of sources) source.close();
      if (empty) {
        merged.close();
        rmSync(join(directory, request.target), { force: true });
      }
      segments = empty ? rest : [...rest, merged];
    },
    segments: () => segments,
    close() {
      for (const segment of segments) segment.close();
      try {
        // After a failed write, the manifest on disk may list files that the one in memory does not.
        removeLeftovers(directory, readManifestSync(directory));
      } finally {
        lock.release();
      }
    },
  };
}

/** The deletes listed in the manifest, without pending ones. */
function committedDeletes(segment: WriterSegment): Uint32Array {
  const pending = new Set(segment.pending);
  return listDeleted(segment).filter((doc) => !pending.has(doc));
}

/** Applies deletes that arrived during a merge to the merged segment. */
function carryOverDeletes(source: WriterSegment, known: Uint32Array, map: Uint32Array, merged: WriterSegment): void {
  const before = new Set(known);
  const pending = new Set(source.pending);
  for (const doc of listDeleted(source)) {
    if (before.has(doc)) continue;
    const moved = map[doc]!;
    merged.deleted[moved] = 1;
    merged.deletedCount++;
    if (pending.has(doc)) merged.pending.push(moved);
  }
}
