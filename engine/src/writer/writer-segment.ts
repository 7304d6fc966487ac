// biome-ignore-all lint/style/noNonNullAssertion: sources, deletes and ids are parallel arrays
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { maxIdLength } from '../check-document.ts';
import { type DiskStrings, openDiskStrings, readFully } from '../segment/disk-strings.ts';
import { hashOfId } from '../segment/document-buffer.ts';
import { readSegment, type SegmentTable } from '../segment/segment-file.ts';
import { readDeletes, type SegmentEntry } from '../store/manifest.ts';
import { toCodeUnits } from '../text/index.ts';

/** A segment as the writer sees it: its ids, and its deleted documents, committed or pending. */
export interface WriterSegment {
  entry: SegmentEntry;
  /** False until a manifest lists the segment. */
  committed: boolean;
  deleted: Uint8Array;
  deletedCount: number;
  /** Documents deleted since the last commit. */
  pending: number[];
  /** Returns the document with this id, or -1. `hash` is `hashOfId` of the id. */
  find(hash: number, id: () => string): number;
  close(): void;
}

/** Known facts about a segment this process has just written; other segments are read and verified. */
interface FreshSegment {
  table: SegmentTable;
  ids: IdTable;
}

export async function openWriterSegment(directory: string, entry: SegmentEntry, fresh: FreshSegment | null): Promise<WriterSegment> {
  const path = join(directory, entry.file);
  const table = fresh?.table ?? (await readSegment(path, entry.bytes, () => null)).table;
  const fd = openSync(path, 'r');
  const [offsetsAt, offsetsLength] = table.sections['ids.offsets']!;
  const [stringsAt, stringsLength] = table.sections['ids.strings']!;
  const ids = openDiskStrings(fd, offsetsAt, offsetsLength / 4 - 1, stringsAt, stringsLength);
  const deletes = readDeletes(directory, entry);
  const deleted = new Uint8Array(entry.documents);
  for (const doc of deletes) deleted[doc] = 1;
  const idAt = idReader(fd, offsetsAt, ids.size, stringsAt);
  let open = true;
  const idTable = fresh?.ids ?? buildIdTable(ids);
  return {
    entry,
    committed: fresh === null,
    deleted,
    deletedCount: deletes.length,
    pending: [],
    find: (hash, id) => findId(idTable, hash, id, idAt),
    close() {
      // A commit and a merge can both close the segment.
      if (open) closeSync(fd);
      open = false;
    },
  };
}

/** Reads single ids. Their offsets are kept in memory after the first call, so each id takes one disk read. */
function idReader(fd: number, offsetsAt: number, size: number, stringsAt: number): (doc: number) => string {
  let borders: Uint32Array | null = null;
  const bytes = Buffer.allocUnsafeSlow(maxIdLength * 3);
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

function buildIdTable(ids: Pick<DiskStrings, 'size' | 'slice'>): IdTable {
  const table = createIdTable(ids.size);
  for (let from = 0; from < ids.size; from += 4096) {
    addIds(table, ids.slice(from, Math.min(from + 4096, ids.size)), from);
  }
  return table;
}

/** Marks the document with this id as deleted, and returns whether it was live. */
export function deleteById(segment: WriterSegment, hash: number, id: () => string): boolean {
  const doc = segment.find(hash, id);
  if (doc < 0 || segment.deleted[doc] === 1) return false;
  segment.deleted[doc] = 1;
  segment.deletedCount++;
  segment.pending.push(doc);
  return true;
}

export function listDeleted(segment: WriterSegment): Uint32Array {
  const documents = new Uint32Array(segment.deletedCount);
  let at = 0;
  for (let doc = 0; doc < segment.deleted.length; doc++) if (segment.deleted[doc] === 1) documents[at++] = doc;
  return documents;
}

/** Maps 32-bit id hashes to documents, so that new ids are recognised without disk access. A hit is verified against the id on disk. */
interface IdTable {
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

/** Returns the document with the id, or -1. `idOf` reads an id to rule out a hash collision. */
function findId(table: IdTable, hash: number, id: () => string, idOf: (doc: number) => string): number {
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  const unsigned = hash >>> 0;
  for (let at = hash & mask; slots[at * 2 + 1] !== 0; at = (at + 1) & mask) {
    if (slots[at * 2] === unsigned && idOf(slots[at * 2 + 1]! - 1) === id()) return slots[at * 2 + 1]! - 1;
  }
  return -1;
}

/** Adds ids given as strings in document order. */
export function addIds(table: IdTable, ids: readonly string[], first: number): void {
  for (let at = 0; at < ids.length; at++) {
    const units = toCodeUnits(ids[at]!);
    addHash(table, hashOfId(units, 0, units.length), first + at);
  }
}
