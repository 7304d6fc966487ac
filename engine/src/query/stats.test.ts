import { expect, test } from 'vitest';
import { smallSchema, withIndex } from '../../test/temporary-index.ts';
import type { Filter } from '../types.ts';

test('min and max are the same with and without the sum, wherever the matches are in the order', async () => {
  // Sizes rise and fall with the document number.
  const documents = Array.from({ length: 600 }, (_, index) => ({
    id: `d${String(index).padStart(3, '0')}`,
    size: (index * 7919) % 601,
    kind: index % 5 === 0 ? 'fifth' : 'other',
  }));
  await withIndex(smallSchema, documents, async ({ writer, reader }) => {
    const filters: (Filter | undefined)[] = [
      undefined,
      { eq: ['kind', 'fifth'] },
      { eq: ['kind', 'nothing'] },
      { range: ['size', { gte: 590 }] },
      { range: ['size', { lt: 9 }] },
      { and: [{ eq: ['kind', 'other'] }, { range: ['size', { gte: 300, lt: 304 }] }] },
      { in: ['id', ['d007']] },
    ];
    const check = async () => {
      for (const filter of filters) {
        const query = { ...(filter ? { filter } : {}), stats: ['size'], limit: 0 };
        const { stats: summed, total } = await reader.search(query);
        const { stats: unsummed } = await reader.search({ ...query, sums: [] });
        expect(unsummed['size']).toEqual({ ...summed['size'], sum: 0 });
        expect(summed['size']!.sum > 0).toBe(total > 0);
      }
    };
    await check();
    await writer.delete(['d007', 'd100']);
    // A document without a value.
    await writer.upsert([...documents.slice(300, 310).map((each) => ({ ...each, size: each.size + 1000 })), { id: 'x', kind: 'fifth' }]);
    await writer.commit();
    await reader.refresh();
    await check();
  });
});

test('kept statistics and histograms are those of the filter, the bounds and the documents that are left', async () => {
  const documents = Array.from({ length: 300 }, (_, index) => ({
    id: `d${index}`,
    size: index,
    kind: index % 3 === 0 ? 'third' : 'other',
  }));
  await withIndex(smallSchema, documents, async ({ writer, reader }) => {
    let left = documents;
    const check = async () => {
      for (const kind of ['third', 'other'])
        for (const bounds of [
          [0, 100, 300],
          [0, 50, 60, 300],
        ]) {
          const sizes = left.filter((each) => each.kind === kind).map(({ size }) => size);
          const query = {
            filter: { eq: ['kind', kind] } satisfies Filter,
            stats: ['size'],
            histograms: [{ field: 'size', bounds }],
            limit: 0,
          };
          const { stats, histograms } = await reader.search(query);
          const sum = sizes.reduce((total, size) => total + size, 0);
          expect(stats['size']).toEqual({ min: Math.min(...sizes), max: Math.max(...sizes), sum, count: sizes.length });
          const counted = bounds.slice(1).map((to, at) => sizes.filter((size) => size >= bounds[at]! && size < to).length);
          expect(histograms['size']).toEqual(counted);
          const { stats: found } = await reader.search({ ...query, text: 'nothing' });
          expect(found['size']!.count).toBe(0);
        }
    };
    await check();
    await check();
    left = documents.slice(0, 290).filter(({ size }) => size > 3);
    await writer.delete(documents.filter((each) => !left.includes(each)).map(({ id }) => id));
    await writer.commit();
    await reader.refresh();
    await check();
    await check();
  });
});
