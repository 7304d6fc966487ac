import { expect, test } from 'vitest';
import { smallSchema, withIndex } from '../../test/temporary-index.ts';

// The second number is above the limit for numbering values, so that they are merged by text.
test.each([12_000, 51_000])('a field with %d values is counted across segments', async (count) => {
  const documents = Array.from({ length: count }, (_, index) => ({ id: `d${index}`, kind: `value ${index}`, tags: [`t${index % 7}`] }));
  await withIndex(smallSchema, documents, async ({ writer, reader }) => {
    // The second segment repeats half of the values of the first.
    await writer.upsert(documents.map(({ tags }, index) => ({ id: `e${index}`, kind: `value ${index + 6000}`, tags })));
    await writer.commit();
    await reader.refresh();
    const { facets, total } = await reader.search({
      filter: { eq: ['tags', 't0'] },
      facets: [{ field: 'kind', limit: 4000 }, 'tags'],
      limit: 0,
    });
    expect(facets['tags']).toEqual([{ value: 't0', count: total }]);
    const counts = new Map<string, number>();
    for (let index = 0; index < count; index += 7) {
      for (const kind of [`value ${index}`, `value ${index + 6000}`]) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    const expected = [...counts].map(([value, count]) => ({ value, count }));
    expected.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
    expect(facets['kind']).toEqual(expected.slice(0, 4000));
  });
});
