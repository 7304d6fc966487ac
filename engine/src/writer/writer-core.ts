import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { checkId } from '../check-document.ts';
import { EngineError } from '../errors.ts';
import { checkSchema, plainSchema, schemaMark } from '../schema.ts';
import { addNext, type Collector, createCollector, draftOf, dropId, hashOfId, heldBy, readParcel } from '../segment/collect.ts';
import type { Parcel } from '../segment/document-batch.ts';
import { writeSegment } from '../segment/write-segment.ts';
import { writeDeletes, type Manifest, readManifestSync, type SegmentEntry, writeManifest } from '../store/manifest.ts';
import { removeLeftovers, takeLock } from '../store/directory.ts';
import { textOf, unitsOf } from '../text/index.ts';
import type { IndexStats, Schema } from '../types.ts';
import { deletedDocuments, deleteFrom, type HeldSegment, holdSegment, addHash, createIdTable } from './writer-segment.ts';
import type { MergeOrder, MergeResult } from './merge-thread.ts';

/**
 * The life of a document on its way in:
 *
 *   collected  in memory, replaced by a later document of the same id, lost by a crash
 *   flushed    in a segment file that no manifest names; a crash leaves the file behind and the next writer removes it
 *   committed  in a segment named by the manifest
 *   deleted    still in its segment, named by the segment's list of deletes; gone with the next merge
 *
 * A commit writes what is collected as a segment, writes a new list of deletes for every segment that lost documents, makes both durable, and
 * then replaces the manifest in one rename. A crash before the rename leaves the old state, one after it the new.
 * A merge replaces committed segments by one with the same living documents; deletes that came in meanwhile are carried over.
 */
export interface WriterCore {
  /** Takes documents that were checked. */
  upsert(parcel: Parcel): Promise<void>;
  delete(ids: readonly string[]): void;
  commit(): Promise<IndexStats>;
  stats(): IndexStats;
  /** What the merge thread needs to merge these segments. */
  orderMerge(sources: readonly HeldSegment[]): MergeOrder;
  finishMerge(sources: readonly HeldSegment[], order: MergeOrder, result: MergeResult): Promise<void>;
  segments(): readonly HeldSegment[];
  close(): void;
}

/** What is collected is written out when it is this much, so that memory stays bounded however long a batch runs. */
const flushDocuments = 500_000;
const flushHeld = 150_000_000;
/** Numbers of terms and values have 24 bits while they are sorted. */
const flushEntries = 16_000_000;
const flushTerms = 4_000_000;

const isFull = (collector: Collector) =>
  collector.count >= flushDocuments ||
  collector.columns.stream.length >= flushEntries ||
  collector.terms.count() >= flushTerms ||
  heldBy(collector) >= flushHeld;

export async function openWriterCore(directory: string, schema: Schema): Promise<WriterCore> {
  checkSchema(schema);
  let manifest = readManifestSync(directory);
  const lock = takeLock(directory);
  let segments: HeldSegment[] = [];
  try {
    manifest = readManifestSync(directory);
    if (schemaMark(manifest.schema) !== schemaMark(schema)) {
      throw new EngineError('schema_mismatch', `The index was built with another schema (version ${manifest.schema.version}). Rebuild it.`);
    }
    removeLeftovers(directory, manifest);
    for (const entry of manifest.segments) segments.push(await holdSegment(directory, entry, null));
  } catch (error) {
    for (const segment of segments) segment.close();
    lock.release();
    throw error;
  }
  const plain = plainSchema(schema);
  let collector: Collector = createCollector(plain);

  const fresh = (): string => `s-${(manifest.generation + 1).toString(36)}-${randomBytes(6).toString('hex')}`;

  /** Of an id only one living copy exists: in memory or in one of the segments. */
  const removeFromSegments = (hash: number, id: () => string) => {
    for (const segment of segments) if (deleteFrom(segment, hash, id)) return;
  };

  const flush = async () => {
    if (collector.living > 0) {
      const file = `${fresh()}.seg`;
      const { draft, order, hashes } = draftOf(collector);
      const { bytes, table } = writeSegment(join(directory, file), draft, order);
      const places = createIdTable(order.length);
      for (let doc = 0; doc < hashes.length; doc++) addHash(places, hashes[doc]!, doc);
      segments.push(await holdSegment(directory, { file, bytes, documents: order.length, deletes: null }, { table, ids: places }));
    }
    collector.terms.clear();
    collector = createCollector(plain, collector.terms);
  };

  const stats = (): IndexStats => {
    const named = segments.filter((segment) => segment.committed);
    const sum = (of: (segment: HeldSegment) => number) => named.reduce((total, segment) => total + of(segment), 0);
    const gone = (segment: HeldSegment) => segment.entry.deletes?.count ?? 0;
    return {
      documents: sum((segment) => segment.entry.documents - gone(segment)),
      deleted: sum(gone),
      segments: named.length,
      storeBytes: sum((segment) => segment.entry.bytes + gone(segment) * 4),
      usedBytes: sum((segment) => Math.round((segment.entry.bytes * (segment.entry.documents - gone(segment))) / segment.entry.documents)),
      generation: manifest.generation,
    };
  };

  /** Replaces the manifest by one that names these segments, then removes what nothing names any more. */
  const install = (next: Manifest) => {
    writeManifest(directory, next);
    const old = manifest;
    manifest = next;
    const named = new Set(next.segments.flatMap((entry) => [entry.file, entry.deletes?.file]));
    for (const file of old.segments.flatMap((entry) => [entry.file, entry.deletes?.file])) {
      if (file !== undefined && !named.has(file)) rmSync(join(directory, file), { force: true });
    }
  };

  /** Writes the list of deletes of a segment under a name of its own; answers its entry for the manifest. */
  const entryWithDeletes = (entry: SegmentEntry, documents: Uint32Array): SegmentEntry => {
    if (documents.length === 0) return { ...entry, deletes: null };
    const file = `${entry.file.slice(0, -'.seg'.length)}.${(manifest.generation + 1).toString(36)}.del`;
    writeDeletes(directory, file, documents);
    return { ...entry, deletes: { file, count: documents.length } };
  };

  return {
    async upsert(parcel) {
      const reader = readParcel(parcel);
      for (let left = parcel.documents; left > 0; left--) {
        const from = reader.unit;
        const to = from + parcel.lengths[reader.length]!;
        removeFromSegments(hashOfId(parcel.units, from, to), () => textOf(parcel.units, from, to));
        addNext(collector, reader);
        if (isFull(collector)) await flush();
      }
    },
    delete(ids) {
      ids.forEach(checkId);
      for (const id of ids) {
        const units = unitsOf(id);
        const hash = hashOfId(units, 0, units.length);
        if (!dropId(collector, units, 0, units.length, hash)) removeFromSegments(hash, () => id);
      }
    },
    async commit() {
      await flush();
      const changed = segments.some((segment) => !segment.committed || segment.pending.length > 0);
      if (!changed) return stats();
      const entries = new Map(
        segments.map((segment) => [
          segment,
          segment.pending.length > 0 ? entryWithDeletes(segment.entry, deletedDocuments(segment)) : segment.entry,
        ]),
      );
      const kept = segments.filter((segment) => segment.deletedCount < segment.entry.documents);
      install({ ...manifest, generation: manifest.generation + 1, segments: kept.map((segment) => entries.get(segment)!) });
      for (const segment of segments) {
        segment.entry = entries.get(segment)!;
        segment.committed = true;
        segment.pending = [];
        if (!kept.includes(segment)) segment.close();
      }
      segments = kept;
      return stats();
    },
    stats,
    orderMerge: (sources) => ({
      directory,
      schema: plain,
      sources: sources.map((segment) => ({ entry: segment.entry, deleted: committedDeletes(segment) })),
      target: `${fresh()}.seg`,
    }),
    async finishMerge(sources, order, result) {
      const entry = { file: order.target, bytes: result.bytes, documents: result.documents, deletes: null };
      const merged = await holdSegment(directory, entry, { table: result.table, ids: { slots: result.ids } });
      merged.committed = true;
      for (const [index, source] of sources.entries()) carryDeletes(source, order.sources[index]!.deleted, result.maps[index]!, merged);
      const pending = new Set(merged.pending);
      const committed = deletedDocuments(merged).filter((doc) => !pending.has(doc));
      const rest = segments.filter((segment) => !sources.includes(segment));
      const empty = committed.length === merged.entry.documents;
      merged.entry = empty ? merged.entry : entryWithDeletes(merged.entry, committed);
      const named = rest.filter((segment) => segment.committed).map((segment) => segment.entry);
      install({ ...manifest, generation: manifest.generation + 1, segments: empty ? named : [...named, merged.entry] });
      for (const source of sources) source.close();
      if (empty) {
        merged.close();
        rmSync(join(directory, order.target), { force: true });
      }
      segments = empty ? rest : [...rest, merged];
    },
    segments: () => segments,
    close() {
      for (const segment of segments) segment.close();
      try {
        removeLeftovers(directory, manifest);
      } finally {
        lock.release();
      }
    },
  };
}

/** Deletes that the manifest knows of; those pending are not yet true. */
function committedDeletes(segment: HeldSegment): Uint32Array {
  const pending = new Set(segment.pending);
  return deletedDocuments(segment).filter((doc) => !pending.has(doc));
}

/** Brings the deletes that came in while a merge ran to the merged segment. */
function carryDeletes(source: HeldSegment, known: Uint32Array, map: Uint32Array, merged: HeldSegment): void {
  const before = new Set(known);
  const pending = new Set(source.pending);
  for (const doc of deletedDocuments(source)) {
    if (before.has(doc)) continue;
    const moved = map[doc]!;
    merged.deleted[moved] = 1;
    merged.deletedCount++;
    if (pending.has(doc)) merged.pending.push(moved);
  }
}
