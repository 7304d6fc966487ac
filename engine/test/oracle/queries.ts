import fc from 'fast-check';
import type { Filter, Query, SortKey } from '../../src/types.ts';
import { folders, latitudes, libraries, longitudes, radii, tags, vocabulary } from './corpora.ts';

/** Makes one typo, normally not in the first letter. */
function misspell(word: string, at: number, kind: number): string {
  const letters = Array.from(word);
  const place = 1 + (at % Math.max(1, letters.length - 1));
  if (kind === 0) letters.splice(place, 1);
  else if (kind === 1) letters.splice(place, 0, 'x');
  else if (kind === 2) letters[place] = 'x';
  else if (place + 1 < letters.length) letters.splice(place, 2, letters[place + 1]!, letters[place]!);
  return letters.join('');
}

const plain = fc.constantFrom(...vocabulary);
const twisted = fc.tuple(plain, fc.nat(20), fc.integer({ min: 0, max: 3 })).map(([word, at, kind]) => misspell(word, at, kind));
const started = fc.tuple(plain, fc.integer({ min: 1, max: 6 })).map(([word, length]) => word.slice(0, length));
const inner = fc
  .tuple(plain, fc.integer({ min: 1, max: 3 }), fc.integer({ min: 2, max: 5 }))
  .map(([word, from, length]) => word.slice(from, from + length));
const joined = fc.tuple(plain, plain, fc.constantFrom('_', '-', '')).map(([a, b, joint]) => a + joint + b);
const oneWord = fc.oneof(
  { arbitrary: plain, weight: 8 },
  { arbitrary: twisted, weight: 4 },
  { arbitrary: started, weight: 3 },
  { arbitrary: inner, weight: 2 },
  { arbitrary: joined, weight: 1 },
  { arbitrary: fc.constantFrom('C++', 'ÉTÉ', 'ｒｅｐｏｒｔ', '!!', 'zzz'), weight: 1 },
);
const phrase = fc.array(plain, { minLength: 1, maxLength: 3 }).map((words) => `"${words.join(' ')}"`);
const excluded = fc.oneof(plain, phrase, joined).map((text) => `-${text}`);
const text = fc
  .tuple(
    fc.array(fc.oneof({ arbitrary: oneWord, weight: 10 }, { arbitrary: phrase, weight: 1 }, { arbitrary: excluded, weight: 1 }), {
      minLength: 1,
      maxLength: 4,
    }),
    fc.constantFrom('', '', '', ' '),
  )
  .map(([words, end]) => words.join(' ') + end);

const bound = fc.option(fc.integer({ min: -6, max: 41 }), { nil: undefined, freq: 2 });
const point = fc.record({ lat: fc.constantFrom(...latitudes), lng: fc.constantFrom(...longitudes) });
const leaf: fc.Arbitrary<Filter> = fc.oneof(
  fc.constantFrom(...libraries, 'lib-9').map((value) => ({ eq: ['library', value] }) as Filter),
  fc.constantFrom(...tags, 'none').map((value) => ({ eq: ['tags', value] }) as Filter),
  fc.integer({ min: -5, max: 40 }).map((value) => ({ eq: ['size', value] }) as Filter),
  fc.constantFrom('d1', 'd7', '\ue000x', 'missing').map((value) => ({ eq: ['id', value] }) as Filter),
  fc.subarray(['d1', 'd2', 'd3', 'd20', 'd41', '𐐀x', 'missing']).map((values) => ({ in: ['id', values] }) as Filter),
  fc.subarray([...tags, 'none']).map((values) => ({ in: ['tags', values] }) as Filter),
  fc.subarray([0, 1, 1.5, 3]).map((values) => ({ in: ['mtime', values] }) as Filter),
  fc.record({ gte: bound, gt: bound, lte: bound, lt: bound }).map((bounds) => ({ range: ['size', bounds] }) as Filter),
  fc.constantFrom('library', 'tags', 'size', 'mtime', 'place').map((exists) => ({ exists })),
  fc.tuple(point, fc.constantFrom(...radii)).map(([centre, metres]) => ({ geoRadius: { ...centre, metres } })),
  fc
    .tuple(point, point)
    .map(([a, b]) => ({ geoBox: { top: Math.max(a.lat, b.lat), bottom: Math.min(a.lat, b.lat), left: a.lng, right: b.lng } })),
  fc.subarray([...folders, 'a/b/x', 'z'], { maxLength: 3 }).map((scope) => ({ scope })),
);
const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
  filter: fc.oneof(
    { maxDepth: 3, depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('filter'), { maxLength: 3 }).map((and) => ({ and })),
    fc.array(tie('filter'), { maxLength: 3 }).map((or) => ({ or })),
    tie('filter').map((not) => ({ not })),
  ),
}));

const order = fc.constantFrom<'asc' | 'desc'>('asc', 'desc');
const sortKey: fc.Arbitrary<SortKey> = fc.oneof(
  fc.record({ field: fc.constantFrom('size', 'mtime', 'title'), order }),
  fc.record({ geo: fc.constant({ lat: 1, lng: 2 }), order }),
);
const facet = fc.constantFrom<NonNullable<Query['facets']>[number][]>(
  'library',
  'tags',
  { field: 'tags', limit: 2 },
  { field: 'tags', prefix: 're' },
);
const maybe = <T>(value: fc.Arbitrary<T>, freq = 1) => fc.option(value, { nil: undefined, freq });

export const query: fc.Arbitrary<Query> = fc.record({
  text: maybe(text, 9),
  fields: maybe(fc.subarray(['name', 'path', 'code', 'body'], { minLength: 1 })),
  prefix: fc.constantFrom(undefined, undefined, true, false),
  matching: fc.constantFrom(undefined, 'all', 'last', 'last'),
  filter: maybe(filter),
  sort: fc.option(fc.array(sortKey, { minLength: 1, maxLength: 2 }), { nil: undefined, freq: 1 }),
  tieBreak: maybe(fc.record({ field: fc.constantFrom('size', 'mtime'), order })),
  facets: maybe(fc.uniqueArray(facet, { minLength: 1, maxLength: 2, selector: (one) => (typeof one === 'string' ? one : one.field) }), 2),
  stats: maybe(fc.constant(['size', 'mtime'])),
  sums: maybe(fc.subarray(['size', 'mtime'])),
  histograms: maybe(fc.constant([{ field: 'size', bounds: [-10, 0, 0, 10.5, 40] }])),
  offset: fc.constantFrom(undefined, 0, 3),
  limit: fc.constantFrom(100, 100, 4),
  matches: fc.option(fc.subarray(['name', 'path', 'code', 'body']), { nil: undefined, freq: 1 }),
});
