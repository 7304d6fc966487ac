import { expect, test } from 'vitest';
import { smallSchema, withIndex } from '../../../test/temporary-index.ts';
import type { Filter } from '../../types.ts';

test('a repeated filter gives the same result, other bounds a different one, and deletes take effect at once', async () => {
  const documents = Array.from({ length: 300 }, (_, index) => ({
    id: `d${index}`,
    size: index,
    where: `a/${index % 3}`,
    tags: [`t${index % 20}`],
  }));
  await withIndex(smallSchema, documents, async ({ writer, reader }) => {
    const count = async (filter: Filter) => (await reader.search({ filter, limit: 0 })).total;
    const many: Filter = { in: ['tags', Array.from({ length: 10 }, (_, index) => `t${index}`)] };
    for (let turn = 0; turn < 3; turn++) {
      expect(await count({ scope: ['a/1'] })).toBe(100);
      expect(await count({ range: ['size', { gte: 250 }] })).toBe(50);
      expect(await count({ range: ['size', { gte: Number.NEGATIVE_INFINITY }] })).toBe(300);
      expect(await count({ range: ['size', { gte: Number.POSITIVE_INFINITY }] })).toBe(0);
      expect(await count(many)).toBe(150);
      // More filters than the cache holds evict the earlier ones.
      for (let bound = 0; bound < 15; bound++) expect(await count({ range: ['size', { lt: bound }] })).toBe(bound);
    }
    await writer.delete(['d1', 'd4']);
    await writer.commit();
    await reader.refresh();
    expect(await count({ scope: ['a/1'] })).toBe(98);
    expect(await count({ not: { scope: ['a/1'] } })).toBe(200);
  });
});
