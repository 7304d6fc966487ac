import { expect, test } from 'vitest';
import { smallSchema, withIndex } from '../../../test/temporary-index.ts';
import type { Query } from '../../types.ts';

const degree = 111_195;
const near: Query['sort'] = [{ geo: { lat: 1, lng: 2 }, order: 'asc' }];

test('hits have their distance even if no distances were compared', async () => {
  const documents = [
    { id: 'a', kind: 'k', size: 1, place: { lat: 2, lng: 2 } },
    { id: 'b', size: 2, place: { lat: 3, lng: 2 } },
    { id: 'c', size: 3 },
  ];
  await withIndex(smallSchema, documents, async ({ reader }) => {
    const distances = async (query: Query) =>
      (await reader.search(query)).hits.map(({ distance }) => (distance === undefined ? null : Math.round(distance / degree)));
    expect(await distances({ sort: near })).toEqual([1, 2, null]);
    expect(await distances({ sort: near, filter: { eq: ['kind', 'k'] } })).toEqual([1]);
    expect(await distances({ sort: [{ field: 'size', order: 'desc' }, ...near] })).toEqual([null, 2, 1]);
    expect(await distances({ sort: [...near, { geo: { lat: 3, lng: 2 }, order: 'asc' }] })).toEqual([1, 2, null]);
    expect(await distances({})).toEqual([null, null, null]);
  });
});

test('hits of many documents at one place have their distance', async () => {
  const documents = Array.from({ length: 300 }, (_, index) => ({ id: `d${index}`, place: { lat: 2, lng: 2 } }));
  await withIndex(smallSchema, documents, async ({ reader }) => {
    const { hits } = await reader.search({ sort: near, limit: 5 });
    expect(hits.map(({ distance }) => Math.round(distance! / degree))).toEqual([1, 1, 1, 1, 1]);
  });
});
