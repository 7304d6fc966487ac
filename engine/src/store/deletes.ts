import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { EngineError } from '../errors.ts';
import { writeFileDurably } from './durable-files.ts';
import type { SegmentEntry } from './manifest.ts';

/** The numbers of a segment's deleted documents, ascending: magic, count, checksum, then u32 each. Written once, like everything else. */
const magic = Buffer.from('CATDEL\r\n', 'latin1');
const head = 16;

export function writeDeletes(directory: string, file: string, documents: Uint32Array): void {
  const bytes = Buffer.alloc(head + documents.length * 4);
  const list = Buffer.from(documents.buffer, documents.byteOffset, documents.byteLength);
  magic.copy(bytes);
  bytes.writeUInt32LE(documents.length, 8);
  bytes.writeUInt32LE(crc32(list), 12);
  list.copy(bytes, head);
  writeFileDurably(join(directory, file), bytes);
}

export function readDeletes(directory: string, entry: SegmentEntry): Uint32Array {
  if (!entry.deletes) return new Uint32Array(0);
  const { file, count } = entry.deletes;
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(directory, file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new EngineError('corrupt', `The list of deletes ${file} is missing.`);
    throw error;
  }
  const list = bytes.subarray(head);
  const whole = bytes.length === head + count * 4 && bytes.subarray(0, 8).equals(magic) && bytes.readUInt32LE(8) === count;
  if (!whole || bytes.readUInt32LE(12) !== crc32(list)) throw new EngineError('corrupt', `The list of deletes ${file} is damaged.`);
  const documents = new Uint32Array(count);
  for (let at = 0; at < count; at++) documents[at] = list.readUInt32LE(at * 4);
  return documents;
}
