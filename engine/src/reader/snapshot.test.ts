import { expect, test, vi } from 'vitest';
import { inDirectory, smallSchema } from '../../test/temporary-index.ts';
import { createIndex, openWriter } from '../index.ts';
import { searchSnapshot } from '../query/execute.ts';
import { loadNewestSnapshot } from './snapshot.ts';

/** What happens before a segment is opened, and the files opened so far. */
const opening = vi.hoisted(() => ({ opened: [] as string[], before: async (_path: string): Promise<void> => {} }));
vi.mock('../segment/open-segment.ts', async (original) => {
  const segments = await original<typeof import('../segment/open-segment.ts')>();
  const openSegment: typeof segments.openSegment = async (...call) => {
    opening.opened.push(call[0]);
    await opening.before(call[0]);
    return segments.openSegment(...call);
  };
  return { ...segments, openSegment };
});

test('segments that were read before another one was deleted are not read again', async () => {
  await inDirectory(async (directory) => {
    await createIndex(directory, smallSchema);
    const writer = await openWriter(directory, smallSchema);
    for (const id of ['a', 'b']) {
      await writer.upsert([{ id }]);
      await writer.commit();
    }
    opening.before = async () => {
      if (opening.opened.length !== 2) return;
      await writer.delete(['b']);
      await writer.upsert([{ id: 'c' }]);
      await writer.commit();
    };
    const snapshot = await loadNewestSnapshot(directory, null);
    expect(searchSnapshot(snapshot, {}).hits.map(({ id }) => id)).toEqual(['a', 'c']);
    expect(opening.opened.map((path) => opening.opened.indexOf(path))).toEqual([0, 1, 2]);
    for (const segment of snapshot.segments) segment.close();
    await writer.close();
  });
});
