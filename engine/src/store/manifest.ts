import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { EngineError, readError } from '../errors.ts';
import type { Schema } from '../types.ts';

/** The file that defines the index. It is replaced by rename; files it does not list are not part of the index. */
export interface Manifest {
  generation: number;
  schema: Schema;
  segments: SegmentEntry[];
}

export interface SegmentEntry {
  file: string;
  bytes: number;
  documents: number;
  /** A file with the numbers of the deleted documents. */
  deletes: { file: string; count: number } | null;
}

const kind = 'catalog-index';
const manifestFormat = 1;
export const manifestFile = 'manifest.json';

export function writeManifest(directory: string, manifest: Manifest): void {
  const body = JSON.stringify({ kind, format: manifestFormat, ...manifest });
  // The listed files must be durable before the manifest is, and the manifest before this returns.
  syncDirectory(directory);
  writeFileDurably(join(directory, manifestFile), Buffer.from(`${body}\n${checksum(body)}\n`));
  syncDirectory(directory);
}

export function readManifestSync(directory: string): Manifest {
  return parseManifest(readOrExplain(() => readFileSync(join(directory, manifestFile), 'utf8'), directory));
}

export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestFile), 'utf8').catch((error: unknown) => {
    throw explained(error, directory);
  });
  return parseManifest(text);
}

function readOrExplain(read: () => string, directory: string): string {
  try {
    return read();
  } catch (error) {
    throw explained(error, directory);
  }
}

function explained(error: unknown, directory: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return new EngineError('no_index', `There is no index in ${directory}.`);
  return readError(error, 'the manifest');
}

const checksum = (body: string) => crc32(body).toString(16).padStart(8, '0');

function parseManifest(text: string): Manifest {
  const [body = '', sum, rest] = text.split('\n');
  const parsed = tryJson(body);
  if (parsed !== null && parsed['kind'] !== kind)
    throw new EngineError('foreign_format', 'The manifest does not belong to a search index.');
  if (parsed !== null && typeof parsed['format'] === 'number' && parsed['format'] > manifestFormat) {
    throw new EngineError('newer_format', `The index was written by a newer version (format ${parsed['format']}).`);
  }
  if (parsed === null || rest !== '' || sum !== checksum(body)) throw new EngineError('corrupt', 'The manifest is damaged.');
  const { generation, schema, segments } = parsed as unknown as Manifest;
  return { generation, schema, segments };
}

function tryJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    // The caller reports invalid JSON as a damaged manifest.
    return null;
  }
}

/** Makes created and renamed files of a directory survive a power failure. */
function syncDirectory(directory: string): void {
  const fd = openSync(directory, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Writes a file under a temporary name, makes it durable and renames it. The rename is durable after `syncDirectory`. */
function writeFileDurably(path: string, bytes: Uint8Array): void {
  const temporary = `${path}.tmp`;
  const fd = openSync(temporary, 'w');
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
    fsyncSync(fd);
  } catch (error) {
    // On a full disk, the partial file would occupy space that is needed.
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  renameSync(temporary, path);
}

/** The format of a delete list: magic, count, checksum, then ascending document numbers as u32. Never changed after writing. */
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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw new EngineError('corrupt', `The delete list ${file} is missing.`);
    throw readError(error, `the delete list ${file}`);
  }
  const list = bytes.subarray(head);
  const whole = bytes.length === head + count * 4 && bytes.subarray(0, 8).equals(magic) && bytes.readUInt32LE(8) === count;
  if (!whole || bytes.readUInt32LE(12) !== crc32(list)) throw new EngineError('corrupt', `The delete list ${file} is damaged.`);
  const documents = new Uint32Array(count);
  for (let at = 0; at < count; at++) documents[at] = list.readUInt32LE(at * 4);
  return documents;
}
