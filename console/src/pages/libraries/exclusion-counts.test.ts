import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countExclusions, estimateScanTime, isPresetOn, togglePreset } from './exclusion-counts.ts';

const PRESETS = [
  { name: 'system', default_enabled: false },
  { name: 'hidden', default_enabled: true },
  { name: 'build', default_enabled: false },
];
const HIDDEN = PRESETS[1]!;

test('a preset that is on by default stays on until a library turns it off', () => {
  expect(isPresetOn(HIDDEN, [])).toBe(true);
  expect(togglePreset(HIDDEN, ['build'], false)).toEqual(['build', '-hidden']);
  expect(isPresetOn(HIDDEN, ['build', '-hidden'])).toBe(false);
  expect(togglePreset(HIDDEN, ['build', '-hidden'], true)).toEqual(['build', 'hidden']);
  expect(togglePreset(PRESETS[2]!, ['build'], false)).toEqual([]);
});

test('a file matched by two presets counts for the first active one; an inactive preset shows what it would exclude in addition', () => {
  const files = {
    path: '/mnt',
    files: 100,
    unreadable: 0,
    complete: true,
    dirs: [],
    left_out: [
      { by: ['system'], files: 5 },
      { by: ['hidden', 'build'], files: 7 },
      { by: ['build'], files: 11 },
      { by: ['tagged_cache'], files: 13 },
      { by: ['hidden', 'tagged_cache'], files: 17 },
    ],
  };
  const standard = countExclusions(files, PRESETS, []);
  expect([standard.kept, standard.caches, Object.fromEntries(standard.by)]).toEqual([63, 13, { system: 5, hidden: 24, build: 11 }]);
  const none = countExclusions(files, PRESETS, ['-hidden']);
  expect([none.kept, none.caches, Object.fromEntries(none.by)]).toEqual([70, 30, { system: 5, hidden: 7, build: 18 }]);
});

test('for any selection, all files = kept + excluded by active presets + caches', () => {
  const sets = fc.array(
    fc.record({ by: fc.subarray(['system', 'hidden', 'build', 'tagged_cache'], { minLength: 1 }), files: fc.nat(1000) }),
  );
  fc.assert(
    fc.property(sets, fc.nat(1000), fc.subarray(['system', 'build', '-hidden', 'hidden']), (left_out, plain, names) => {
      const files = plain + left_out.reduce((sum, one) => sum + one.files, 0);
      const { kept, by, caches } = countExclusions({ path: '', unreadable: 0, complete: true, dirs: [], files, left_out }, PRESETS, names);
      const out = PRESETS.filter((preset) => isPresetOn(preset, names)).reduce((sum, { name }) => sum + (by.get(name) ?? 0), 0);
      expect(kept + out + caches).toBe(files);
    }),
  );
});

test.each([
  [0, 'a few seconds'],
  [100_000, 'about 20 s'],
  [1_180_002, 'about 4 min'],
])('%i files take %s', (files, text) => expect(estimateScanTime(files)).toBe(text));
