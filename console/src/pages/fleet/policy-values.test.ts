import { expect, test } from 'vitest';
import { changesBetween, givenKeys, policyText } from './policy-values.ts';

test('settings are shown with their units, and lists by their names', () => {
  expect(policyText('scan_interval_seconds', 1800)).toMatch(/30\smin/);
  expect(policyText('upload_bytes_per_second', 2_000_000)).toMatch(/2.*MB a second/);
  expect(policyText('exclude_globs', ['*.tmp', '*.bak'])).toBe('*.tmp, *.bak');
  expect(policyText('presets', [{ name: 'caches_temp', patterns: [] }])).toBe('caches_temp');
  expect(policyText('presets', [])).toBe('none');
  expect(policyText('cpu_max_percent', 40)).toBe('40 % of a core');
  expect(policyText('watch_mode', true)).toBe('on');
  expect(policyText('read_bytes_per_second', null)).toBe(null);
});

test('a diff names the keys that differ, and an empty field is left to the other groups', () => {
  expect(changesBetween({ scan_interval_seconds: 60, presets: ['a'] }, { presets: ['a'], include_globs: ['x'] })).toEqual([
    { key: 'include_globs', before: undefined, after: ['x'] },
    { key: 'scan_interval_seconds', before: 60, after: undefined },
  ]);
  expect(givenKeys({ scan_interval_seconds: 60, presets: undefined })).toEqual({ scan_interval_seconds: 60 });
});
