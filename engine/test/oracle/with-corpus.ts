import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createIndex, openReader, openWriter } from '../../src/index.ts';
import type { IndexReader } from '../../src/types.ts';
import type { Corpus } from './corpora.ts';
import { createOracle, type Oracle } from './oracle.ts';

/** Writes the corpus commit by commit, and calls `use` after each with a reader that was opened before the first. */
export async function withCorpus(
  corpus: Corpus,
  use: (reader: IndexReader, oracle: Oracle, commit: number, last: boolean) => Promise<void>,
): Promise<void> {
  const parent = await mkdtemp(join(tmpdir(), 'engine-oracle-'));
  const directory = join(parent, 'index');
  const oracle = createOracle(corpus.schema);
  await createIndex(directory, corpus.schema);
  const writer = await openWriter(directory, corpus.schema);
  const reader = await openReader(directory, {
    smallCell: corpus.smallCell,
    tightScratch: corpus.tight,
    ...(corpus.divided ? { divideFrom: 0 } : {}),
  });
  try {
    for (const [commit, { upserts, deletes }] of corpus.commits.entries()) {
      await writer.upsert(upserts);
      await writer.delete(deletes);
      await writer.commit();
      for (const document of upserts) oracle.upsert(document);
      for (const id of deletes) oracle.delete(id);
      const last = commit === corpus.commits.length - 1;
      if (last && corpus.compacted) await writer.compact();
      await reader.refresh();
      await use(reader, oracle, commit, last);
    }
  } finally {
    await reader.close();
    await writer.close();
    await rm(parent, { recursive: true, force: true });
  }
}
