import fc from 'fast-check';
import type { Document, Schema } from '../../src/types.ts';

/** A schema and the documents written to it, commit by commit. The vocabulary is small and similar, so that many rules apply at once. */
export interface Corpus {
  schema: Schema;
  commits: { upserts: Document[]; deletes: string[] }[];
  compacted: boolean;
  /** A small value makes small indexes use the splitting of cells instead of sorting by comparison only. */
  smallCell: number;
  /** Whether each query is divided between two threads. */
  divided: boolean;
  /** Whether memory grows with every allocation of a query. */
  tight: boolean;
}

export const vocabulary = [
  ...['report', 'reports', 'repotr', 'reprot', 'port', 'import', 'quarterly', 'quaterly', 'quarterlyreport', 'annual', 'anual', 'manual'],
  ...[
    'presentation',
    'presentatoin',
    'persentation',
    'present',
    'a',
    'ab',
    'abc',
    'abcd',
    'final',
    'finally',
    'finaly',
    'v2',
    '2024',
    '2025',
  ],
  ...[
    'straße',
    'strasse',
    'été',
    'c++',
    'c#',
    'report#2',
    'c',
    '東京',
    '東京タワー',
    'naïve',
    'naive',
    'xlsx',
    'pdf',
    'invoice',
    'invoices',
    'invocie',
    'voice',
  ],
];
const word = fc.constantFrom(...vocabulary);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const name = fc
  .array(word, { minLength: 1, maxLength: 5 })
  .chain((words) =>
    fc.constantFrom('_', '-', ' ', '.', '').map((joint) => (joint === '' ? words.map(capital).join('') : words.join(joint))),
  );
const prose = fc.array(word, { minLength: 1, maxLength: 24 }).map((words) => words.join(' '));
const absent = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null, freq: 4 });

export const libraries = ['lib-1', 'lib-2', 'lib-3', 'Lib-1'];
export const tags = ['red', 'green', 'blue', 'reddish', 'old', 'new', 'Ünique'];
export const folders = ['', 'a', 'a/b', 'a/b/c', 'ab', 'a/bc', 'd', 'd/e f'];
/** A coarse grid, on which distances differ by more than the rounding of two formulas. */
export const latitudes = [-60, -20, 0, 20, 60];
export const longitudes = [-170, -90, 0, 45, 170];
export const radii = [1, 3_000_000, 9_500_000];
const metresPerDegree = (6_371_000 * Math.PI) / 180;
/** Points one per cent inside and outside each radius, north or south of a grid point, so that a radius that is slightly wrong is noticed. */
export const nearBorders = latitudes.flatMap((lat) =>
  longitudes.flatMap((lng) =>
    radii.flatMap((metres) =>
      [-1.01, -0.99, 0.99, 1.01]
        .map((share) => ({ lat: lat + (share * metres) / metresPerDegree, lng }))
        .filter((at) => Math.abs(at.lat) <= 90),
    ),
  ),
);
const onGrid = fc.record({ lat: fc.constantFrom(...latitudes), lng: fc.constantFrom(...longitudes) });
const place = fc.oneof(onGrid, fc.constantFrom(...nearBorders));
const titles = ['Alpha', 'alpha', 'älpha', 'beta', 'Beta 2', 'gamma', '', 'Ωmega', '\ue000', '𐐀', 'zeta'];

const ids = Array.from({ length: 60 }, (_, index) => `d${index}`).concat(['\ue000x', '𐐀x', 'é', 'é', 'D1']);
const id = fc.constantFrom(...ids);

const document: fc.Arbitrary<Document> = fc.record({
  id,
  name: fc.oneof({ arbitrary: name, weight: 6 }, { arbitrary: fc.array(name, { maxLength: 3 }), weight: 1 }),
  path: absent(fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'))),
  code: absent(fc.oneof(word, name)),
  body: fc.option(prose, { nil: undefined }),
  library: absent(fc.constantFrom(...libraries)),
  tags: absent(fc.array(fc.constantFrom(...tags), { maxLength: 4 })),
  size: absent(fc.integer({ min: -5, max: 40 })),
  mtime: absent(fc.constantFrom(0, 1, 1.5, 2, 1e12)),
  title: absent(fc.constantFrom(...titles)),
  place: absent(place),
  where: fc.constantFrom(...folders.slice(1)),
});

const switches = fc.record({ typos: fc.boolean(), infix: fc.boolean() });
const schema: fc.Arbitrary<Schema> = fc.tuple(switches, switches, switches, fc.boolean()).map(([first, second, third, variant]) => ({
  version: 1,
  text: [
    { name: 'name', infix: true },
    { name: 'path', ...first },
    { name: 'code', typos: false, infix: second.infix, variant },
    { name: 'body', ...third },
  ],
  keyword: [{ name: 'library' }, { name: 'tags', multi: true }],
  number: ['size', 'mtime'],
  sortable: ['title'],
  geo: 'place',
  scope: 'where',
}));

/** A batch contains each document once, because the rules do not define which of two versions in one call wins. */
const batch = (most: number) => fc.uniqueArray(document, { maxLength: most, size: 'max', selector: (one) => one.id });

export const world: fc.Arbitrary<Corpus> = fc.record({
  schema,
  commits: fc
    .tuple(batch(60), fc.array(fc.record({ upserts: batch(12), deletes: fc.uniqueArray(id, { maxLength: 6 }) }), { maxLength: 3 }))
    .map(([first, later]) => [{ upserts: first, deletes: [] }, ...later]),
  compacted: fc.boolean(),
  smallCell: fc.constantFrom(0, 1, 3, 10, 200),
  divided: fc.boolean(),
  tight: fc.boolean(),
});
