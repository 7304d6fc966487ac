/**
 * Which documents of a segment an id might be: a hash table of 32-bit hashes, so that the writer knows in well under a microsecond that
 * an id is new. A hit is held against the id on disk.
 */
export interface IdTable {
  slots: Uint32Array;
}

export function hashId(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at++) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  hash ^= hash >>> 15;
  hash = Math.imul(hash, 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

export function createIdTable(documents: number): IdTable {
  let size = 16;
  while (size < documents * 2) size *= 2;
  return { slots: new Uint32Array(size * 2) };
}

export function addId(table: IdTable, id: string, doc: number): void {
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  const hash = hashId(id);
  let at = hash & mask;
  while (slots[at * 2 + 1] !== 0) at = (at + 1) & mask;
  slots[at * 2] = hash;
  slots[at * 2 + 1] = doc + 1;
}

/** The document with the id, or -1; `idOf` reads an id to make sure. */
export function findId(table: IdTable, id: string, idOf: (doc: number) => string): number {
  const { slots } = table;
  const mask = slots.length / 2 - 1;
  const hash = hashId(id);
  for (let at = hash & mask; slots[at * 2 + 1] !== 0; at = (at + 1) & mask) {
    if (slots[at * 2] === hash && idOf(slots[at * 2 + 1]! - 1) === id) return slots[at * 2 + 1]! - 1;
  }
  return -1;
}
