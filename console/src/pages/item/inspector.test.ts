import { expect, test } from 'vitest';
import type { Item, ItemVersion } from '../../api/types.ts';
import { parseFieldValue } from './custom-fields.tsx';
import { extractionProblem, factsOf, itemSummary } from './facts.ts';
import { historySentence } from './item-tabs.tsx';
import { findTextMatches } from './use-text-matches.ts';

const item = (patch: Partial<Item>) =>
  ({
    file_category: 'image',
    extension: 'jpg',
    size: 8_412_338,
    mtime: '2023-06-14T19:48:00Z',
    first_seen: '2023-06-15T00:00:00Z',
    title: null,
    symlink_target: null,
    nlink: 1,
    metadata: {},
    ...patch,
  }) as unknown as Item;

test('the facts of a photo are readable', () => {
  const facts = Object.fromEntries(
    factsOf(
      item({
        metadata: {
          width: 6000,
          height: 4000,
          format: 'JPEG',
          exif: { camera_make: 'Sony', camera_model: 'α7 IV', exposure_time: 0.008, f_number: 4, iso: 400 },
        },
      }),
    ).map((f) => [f.label, f.value]),
  );
  expect(facts).toMatchObject({
    'File type': 'JPEG image, 6000 × 4000 (24 MP)',
    Camera: 'Sony α7 IV',
    Exposure: '1/125 s · f/4 · ISO 400',
  });
});

test('the time of a recording is that of the clock of its camera, in whatever time zone it is read', () => {
  const takenOf = (metadata: Record<string, unknown>) => factsOf(item({ metadata })).find(({ label }) => label === 'Taken')?.value;
  const local = takenOf({ taken_at: '2024-01-01T00:30:00' });
  expect(local).toEqual(expect.any(String));
  for (const zone of ['+01:00', '+13:00', '-08:00']) {
    expect(takenOf({ taken_at: `2024-01-01T00:30:00${zone}` })).toBe(local);
    expect(takenOf({ exif: { taken_at: `2024-01-01T00:30:00${zone}` } })).toBe(local);
  }
});

test('small pictures have no megapixels, and subtitles are called so', () => {
  const typeOf = (patch: Partial<Item>) => factsOf(item(patch)).find(({ label }) => label === 'File type')?.value;
  expect(typeOf({ metadata: { width: 32, height: 32 } })).toBe('JPG image, 32 × 32');
  expect(typeOf({ metadata: { width: 640, height: 480 } })).toBe('JPG image, 640 × 480 (0.3 MP)');
  expect(typeOf({ file_category: 'video', file_group: 'subtitle', extension: 'srt' })).toBe('SRT subtitles');
});

test('unknown facts are left out', () => {
  expect(factsOf(item({})).map((f) => f.label)).toEqual(['File type', 'Size', 'Modified', 'First seen']);
});

test('an extraction error is returned with its kind', () => {
  expect(extractionProblem(item({ metadata: { _extract_error: 'It needs a password.', _extract_error_kind: 'guard' } }))).toEqual({
    kind: 'guard',
    message: 'It needs a password.',
  });
  expect(extractionProblem(item({}))).toBeNull();
});

test('a file that needs a password says so in its own words', () => {
  expect(extractionProblem(item({ metadata: { encrypted: true } }))).toMatchObject({
    kind: 'encrypted',
    message: expect.stringMatching(/^Protected by a password\./) as string,
  });
});

test('a history entry says who did what', () => {
  const version = (before: object, after: object, actor: string | null = 'ada') =>
    ({ id: '1', at: '', source: 'user', principal_id: null, actor, before, after }) as ItemVersion;
  expect(historySentence(version({ tags: ['a'] }, { tags: ['a', 'final'] }))).toBe('ada added tag final');
  expect(historySentence(version({ tags: ['a', 'b'] }, { tags: [] }))).toBe('ada removed tags a, b');
  expect(historySentence(version({ user_metadata: {} }, { user_metadata: { note: 'x' } }, null))).toBe('Someone added a note');
});

test('all occurrences of a word are found, with page numbers if the text has pages', () => {
  const found = findTextMatches('one harbour\ftwo\fthree Harbour four', ['harbour']);
  expect(found.map((m) => m.page)).toEqual([1, 3]);
  expect(found.map((m) => m.text)).toEqual(['one harbour', 'three Harbour four']);
});

test('the value of a custom field has the type of the field', () => {
  expect(parseFieldValue({ data_type: 'integer' }, ' 7 ')).toBe(7);
  expect(parseFieldValue({ data_type: 'string' }, '  ')).toBeNull();
  expect(parseFieldValue({ data_type: 'float' }, 'x')).toBe('x');
});

test.each([
  ['three-d-cad', 'stl', 'STL model'],
  ['three-d-cad', 'ipt', 'IPT 3D or CAD file'],
  ['development', 'py', 'Python source'],
  ['document', 'md', 'Markdown'],
  ['image', 'jpg', 'JPG image'],
  ['system', 'dll', 'DLL file'],
])('a file of the category %s has a readable file type', (file_category, extension, words) => {
  expect(factsOf(item({ file_category, extension }))[0]).toMatchObject({ label: 'File type', value: words });
});

test('the summary of a file fits in one line', () => {
  const summary = itemSummary(
    item({ file_category: 'document', extension: 'pdf', size: 3_100_000, mtime: '2023-11-02T12:00:00.000Z', metadata: { pages: 36 } }),
  );
  expect(summary).toMatch(/^PDF document, 36 pages · 3.1 MB · /);
});
