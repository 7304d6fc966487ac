import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndex, openReader, openWriter } from '../../src/index.ts';
import type { IndexReader } from '../../src/types.ts';
import { createOracle, type Oracle } from './oracle.ts';
import type { World } from './worlds.ts';

/** Writes the world commit by commit; `use` is called after each with a reader that was opened before the first. */
export async function inWorld(
  made: World,
  use: (reader: IndexReader, oracle: Oracle, commit: number, last: boolean) => Promise<void>,
): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'engine-oracle-'));
  const directory = join(parent, 'index');
  const oracle = createOracle(made.schema);
  await createIndex(directory, made.schema);
  const writer = await openWriter(directory, made.schema);
  const reader = await openReader(directory, { smallCell: made.smallCell, ...(made.divided ? { divideFrom: 0 } : {}) });
  try {
    for (const [commit, { upserts, deletes }] of made.commits.entries()) {
      await writer.upsert(upserts);
      await writer.delete(deletes);
      await writer.commit();
      for (const document of upserts) oracle.upsert(document);
      for (const id of deletes) oracle.delete(id);
      const last = commit === made.commits.length - 1;
      if (last && made.compacted) await writer.compact();
      await reader.refresh();
      await use(reader, oracle, commit, last);
    }
  } finally {
    await reader.close();
    await writer.close();
    await rm(parent, { recursive: true, force: true });
  }
}
