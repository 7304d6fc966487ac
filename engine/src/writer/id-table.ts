import { hashOfId } from '../segment/collect.ts';
import { unitsOf } from '../text/index.ts';

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
