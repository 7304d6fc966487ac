import { mkdirSync, readdirSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../errors.ts';
import { checkSchema, plainSchema } from '../schema.ts';
import type { Schema } from '../types.ts';
import { lockFiles } from './lock.ts';
import { type Manifest, manifestFile, writeManifest } from './manifest.ts';

const ours = /^s-[0-9a-z]+-[0-9a-f]+(\.seg|\.seg\.tmp|\.[0-9a-z]+\.del|\.[0-9a-z]+\.del\.tmp)$/;

/** An empty index in a directory that is empty or not there yet. */
export function createDirectory(directory: string, schema: Schema): void {
  checkSchema(schema);
  mkdirSync(directory, { recursive: true });
  const strangers = readdirSync(directory).filter(
    (name) => !ours.test(name) && !lockFiles.includes(name) && name !== `${manifestFile}.tmp`,
  );
  if (strangers.includes(manifestFile)) throw new EngineError('foreign_format', `There is an index in ${directory} already.`);
  if (strangers.length > 0)
    throw new EngineError('foreign_format', `The directory ${directory} holds other files; an index needs an empty one.`);
  removeLeftovers(directory, null);
  writeManifest(directory, { generation: 1, schema: plainSchema(schema), segments: [] });
}

/** Removes our files that the manifest does not name: what a crash or a finished merge left behind. */
export function removeLeftovers(directory: string, manifest: Manifest | null, keep: ReadonlySet<string> = new Set()): void {
  const named = new Set(manifest?.segments.flatMap((entry) => (entry.deletes ? [entry.file, entry.deletes.file] : [entry.file])));
  for (const name of readdirSync(directory)) {
    if (ours.test(name) && !named.has(name) && !keep.has(name)) unlinkSync(join(directory, name));
  }
}
