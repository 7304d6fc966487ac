import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndex, openReader, openWriter } from '../src/index.ts';
import type { Document, IndexReader, IndexWriter, Schema } from '../src/types.ts';

/** Runs a test in a temporary directory. */
export async function inDirectory(use: (directory: string) => Promise<void>): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'engine-test-'));
  try {
    await use(join(parent, 'index'));
  } finally {
    await rm(parent, { recursive: true, force: true });
  }
}

/** A directory for the tests of a file; the caller removes it. */
export function temporaryDirectory(): { path: string; remove(): Promise<void> } {
  const parent = mkdtempSync(join(tmpdir(), 'engine-test-'));
  return { path: join(parent, 'index'), remove: () => rm(parent, { recursive: true, force: true }) };
}

/** Opens a writer and a reader on an index with these documents committed. */
export async function withIndex(
  schema: Schema,
  documents: readonly Document[],
  use: (open: { directory: string; writer: IndexWriter; reader: IndexReader }) => Promise<void>,
): Promise<void> {
  await inDirectory(async (directory) => {
    await createIndex(directory, schema);
    const writer = await openWriter(directory, schema);
    await writer.upsert(documents);
    await writer.commit();
    const reader = await openReader(directory);
    try {
      await use({ directory, writer, reader });
    } finally {
      await reader.close();
      await writer.close();
    }
  });
}

export const smallSchema: Schema = {
  version: 1,
  text: [{ name: 'name', infix: true }, { name: 'body' }],
  keyword: [{ name: 'kind' }, { name: 'tags', multi: true }],
  number: ['size'],
  sortable: ['title'],
  geo: 'place',
  scope: 'where',
};
