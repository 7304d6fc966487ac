import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { EngineError } from '../errors.ts';
import type { Schema } from '../types.ts';
import { syncDirectory, writeFileDurably } from './durable-files.ts';

/** The one file that says what the index is. It is replaced whole by a rename; whatever it does not name does not count. */
export interface Manifest {
  generation: number;
  schema: Schema;
  segments: SegmentEntry[];
}

export interface SegmentEntry {
  file: string;
  bytes: number;
  documents: number;
  /** Which documents are deleted: a file of their numbers. */
  deletes: { file: string; count: number } | null;
}

const kind = 'catalog-index';
export const manifestFormat = 1;
export const manifestFile = 'manifest.json';

export function writeManifest(directory: string, manifest: Manifest): void {
  const body = JSON.stringify({ kind, format: manifestFormat, ...manifest });
  // Whatever it names must be found after a power cut before it is; then so must it.
  syncDirectory(directory);
  writeFileDurably(join(directory, manifestFile), Buffer.from(`${body}\n${checksum(body)}\n`));
  syncDirectory(directory);
}

export function readManifestSync(directory: string): Manifest {
  return parseManifest(explainMissing(() => readFileSync(join(directory, manifestFile), 'utf8'), directory));
}

export async function readManifest(directory: string): Promise<Manifest> {
  const text = await readFile(join(directory, manifestFile), 'utf8').catch((error: unknown) => {
    throw missing(error, directory);
  });
  return parseManifest(text);
}

function explainMissing(read: () => string, directory: string): string {
  try {
    return read();
  } catch (error) {
    throw missing(error, directory);
  }
}

function missing(error: unknown, directory: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' ? new EngineError('no_index', `There is no index in ${directory}.`) : error;
}

const checksum = (body: string) => crc32(body).toString(16).padStart(8, '0');

function parseManifest(text: string): Manifest {
  const [body, sum, rest] = text.split('\n');
  const parsed = tryJson(body ?? '');
  if (parsed !== null && parsed['kind'] !== kind) throw new EngineError('foreign_format', 'The manifest belongs to something else.');
  if (parsed !== null && typeof parsed['format'] === 'number' && parsed['format'] > manifestFormat) {
    throw new EngineError('newer_format', `The index was written by a newer version (format ${parsed['format']}).`);
  }
  if (parsed === null || rest !== '' || sum !== checksum(body!)) throw new EngineError('corrupt', 'The manifest is damaged.');
  const { generation, schema, segments } = parsed as unknown as Manifest;
  return { generation, schema, segments };
}

function tryJson(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
