import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { longestId } from '../check-document.ts';
import { type SegmentTable, readSegment } from '../segment/segment-file.ts';
import { type DiskStrings, openDiskStrings, readFully } from '../segment/disk-strings.ts';
import { readDeletes, type SegmentEntry } from '../store/manifest.ts';
import { hashOfId } from '../segment/collect.ts';
import { unitsOf } from '../text/index.ts';

/** A segment as the writer knows it: its ids, and which of its documents are deleted, committed or not yet. */
export interface HeldSegment {
  entry: SegmentEntry;
  /** False until a manifest names it. */
  committed: boolean;
  deleted: Uint8Array;
  deletedCount: number;
  /** Deleted since the last commit. */
  pending: number[];
  /** The document with this id, or -1; `hash` is `hashOfId`. */
  find(hash: number, id: () => string): number;
  close(): void;
}

/** What is known of a segment that this process has just written; of others the whole file is read and checked. */
export interface Fresh {
  table: SegmentTable;
  ids: IdTable;
}

export async function holdSegment(directory: string, entry: SegmentEntry, fresh: Fresh | null): Promise<HeldSegment> {
  const path = join(directory, entry.file);
  const table = fresh?.table ?? (await readSegment(path, entry.bytes, () => null));
  const fd = openSync(path, 'r');
  const [offsetsAt, offsetsLength] = table.sections['ids.offsets']!;
  const [stringsAt, stringsLength] = table.sections['ids.strings']!;
  const ids = openDiskStrings(fd, offsetsAt, offsetsLength / 4 - 1, stringsAt, stringsLength);
  const deletes = readDeletes(directory, entry);
  const deleted = new Uint8Array(entry.documents);
  for (const doc of deletes) deleted[doc] = 1;
  const idAt = idReader(fd, offsetsAt, ids.size, stringsAt);
  let open = true;
  const places = fresh?.ids ?? tableOf(ids);
  return {
    entry,
    committed: fresh === null,
    deleted,
    deletedCount: deletes.length,
    pending: [],
    find: (hash, id) => findId(places, hash, id, idAt),
    close() {
      // A segment may leave by a commit and by a merge at once.
      if (open) closeSync(fd);
      open = false;
    },
  };
}

/** Reads single ids: their borders are kept in memory from the first one on, so that each takes one look at the disk. */
function idReader(fd: number, offsetsAt: number, size: number, stringsAt: number): (doc: number) => string {
  let borders: Uint32Array | null = null;
  const bytes = Buffer.allocUnsafeSlow(longestId * 3);
  return (doc) => {
    if (borders === null) {
      borders = new Uint32Array(size + 1);
      readFully(fd, new Uint8Array(borders.buffer), offsetsAt);
    }
    const length = borders[doc + 1]! - borders[doc]!;
    readFully(fd, bytes.subarray(0, length), stringsAt + borders[doc]!);
    return bytes.toString('utf8', 0, length);
  };
}

function tableOf(ids: Pick<DiskStrings, 'size' | 'slice'>): IdTable {
  const table = createIdTable(ids.size);
  for (let from = 0; from < ids.size; from += 4096) {
    addIds(table, ids.slice(from, Math.min(from + 4096, ids.size)), from);
  }
  return table;
}

/** Marks the document with this id as deleted; answers whether it was there and alive. */
export function deleteFrom(segment: HeldSegment, hash: number, id: () => string): boolean {
  const doc = segment.find(hash, id);
  if (doc < 0 || segment.deleted[doc] === 1) return false;
  segment.deleted[doc] = 1;
  segment.deletedCount++;
  segment.pending.push(doc);
  return true;
}

export function deletedDocuments(segment: HeldSegment): Uint32Array {
  const documents = new Uint32Array(segment.deletedCount);
  let at = 0;
  for (let doc = 0; doc < segment.deleted.length; doc++) if (segment.deleted[doc] === 1) documents[at++] = doc;
  return documents;
}

/**
 * Which documents of a segment an id might be: a hash table of 32-bit hashes, so that the writer knows in well under a microsecond that
 * an id is new. A hit is held against the id on disk.
 */
export interface IdTable {
  slots: Uint32Array;
}

export function createIdTable(documents: number): IdTable {
  let size = 16;
  while (size < documents * 2) size *= 2;
  return { slots: new Uint32Array(size * 2) };
}

/** Adds a document by the hash of its id (`hashOfId`). */
export function addHash(table: IdTable, hash: number, doc: number): void {
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  let at = hash & mask;
  while (slots[at * 2 + 1] !== 0) at = (at + 1) & mask;
  slots[at * 2] = hash;
  slots[at * 2 + 1] = doc + 1;
}

/** The document with the id, or -1; `idOf` reads an id to make sure. */
export function findId(table: IdTable, hash: number, id: () => string, idOf: (doc: number) => string): number {
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  const unsigned = hash >>> 0;
  for (let at = hash & mask; slots[at * 2 + 1] !== 0; at = (at + 1) & mask) {
    if (slots[at * 2] === unsigned && idOf(slots[at * 2 + 1]! - 1) === id()) return slots[at * 2 + 1]! - 1;
  }
  return -1;
}

/** The table of ids that come as strings, in document order. */
export function addIds(table: IdTable, ids: readonly string[], first: number): void {
  for (let at = 0; at < ids.length; at++) {
    const units = unitsOf(ids[at]!);
    addHash(table, hashOfId(units, 0, units.length), first + at);
  }
}
