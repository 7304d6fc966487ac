import assert from 'node:assert/strict';
import { createIndex, openReader, openWriter } from '../../src/index.ts';
import type { Document } from '../../src/types.ts';
import { smallSchema } from '../temporary-index.ts';

const documents = (from: number, to: number, word: string): Document[] =>
  Array.from({ length: to - from }, (_, index) => ({
    id: `d${from + index}`,
    name: `${word} ${from + index}`,
    body: `filling text ${'of many words '.repeat(20)}${from + index}`,
    kind: 'a',
    size: index,
  }));

const refused = { name: 'EngineError', code: 'disk' };

/**
 * The disk fills up between two commits, stays full during a commit, a merge and the opening of a new writer, and then has space again. The
 * old state must stay readable, every failure must report the disk, and no written document may be lost.
 */
export async function surviveFullDisk(directory: string, fill: () => Promise<void>, free: () => Promise<void>): Promise<void> {
  const totals = async () => {
    const fresh = await openReader(directory);
    const counted = [await reader.search({ text: 'old' }), await reader.search({ text: 'new' }), await fresh.search({})];
    await fresh.close();
    return counted.map(({ total }) => total);
  };
  await createIndex(directory, smallSchema);
  let writer = await openWriter(directory, smallSchema);
  await writer.upsert(documents(0, 100, 'old'));
  await writer.commit();
  await writer.upsert(documents(100, 200, 'old'));
  await writer.commit();
  const reader = await openReader(directory);
  try {
    await fill();
    await writer.upsert(documents(150, 1200, 'new'));
    await writer.delete(['d0']);
    for (const _ of [1, 2]) await assert.rejects(writer.commit(), refused);
    await assert.rejects(writer.compact(), refused);
    await reader.refresh();
    assert.deepEqual(await totals(), [200, 0, 200]);

    await free();
    await writer.commit();
    await reader.refresh();
    assert.deepEqual(await totals(), [149, 1050, 1199]);

    await fill();
    await assert.rejects(writer.compact(), refused);
    await writer.close();
    writer = await openWriter(directory, smallSchema);
    await reader.refresh();
    assert.deepEqual(await totals(), [149, 1050, 1199]);
    await free();
    assert.equal((await writer.compact()).segments, 1);
    await reader.refresh();
    assert.deepEqual(await totals(), [149, 1050, 1199]);
  } finally {
    await free();
    await reader.close();
    await writer.close();
  }
}
