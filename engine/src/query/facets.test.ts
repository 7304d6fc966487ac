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

test('counts of a filter stay right when documents change, and differ by prefix, filter and words', async () => {
  const kinds = ['red', 'rose', 'blue', 'green'];
  const documents = Array.from({ length: 3000 }, (_, index) => ({
    id: `d${index}`,
    kind: kinds[index % 4] as string,
    tags: [`t${index % 3}`],
    name: index % 5 === 0 ? 'apple' : 'pear',
  }));
  const known = new Map(documents.map((document) => [document.id, document]));
  await withIndex(smallSchema, documents, async ({ writer, reader }) => {
    const expectCounts = async (tag: string, prefix = '', word = ''): Promise<void> => {
      const { facets } = await reader.search({ text: word, filter: { eq: ['tags', tag] }, facets: [{ field: 'kind', prefix }], limit: 0 });
      const counts = new Map<string, number>();
      for (const { kind, tags, name } of known.values())
        if (tags.includes(tag) && kind.startsWith(prefix) && name.includes(word)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
      const expected = [...counts].map(([value, count]) => ({ value, count }));
      expect(facets['kind']).toEqual(expected.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)));
    };
    const expectAll = async (): Promise<void> => {
      for (const tag of ['t0', 't1', 't0', 't1']) {
        await expectCounts(tag);
        await expectCounts(tag, 'r');
        await expectCounts(tag, '', 'apple');
      }
    };
    await expectAll();
    for (const id of ['d0', 'd4', 'd12']) known.delete(id);
    await writer.delete(['d0', 'd4', 'd12']);
    const changed = { ...documents[24], kind: 'blue', id: 'd24' } as (typeof documents)[number];
    known.set('d24', changed);
    await writer.upsert([changed]);
    await writer.commit();
    await reader.refresh();
    await expectAll();
  });
});
