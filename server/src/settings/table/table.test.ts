import { describe, expect, test } from 'vitest';
import { fakeHost } from '../fake-host.ts';
import { loadSettings } from '../load.ts';
import type { Setting } from '../setting.ts';
import { keyName } from '../settings-type.ts';
import specDefaults from '../spec-defaults.json' with { type: 'json' };
import { deploymentSection, sections, settingsTable } from './index.ts';

const rows = new Map<string, Setting<unknown>>(Object.entries({ ...settingsTable, ...deploymentSection.settings }));
const specified = Object.values(specDefaults).flatMap((section) => Object.entries<string>(section));
// The documents describe the container, where /config is a volume.
const container = fakeHost(['/config']);
const loaded = loadSettings({}, { envFileText: '', host: container });
const values = new Map<string, unknown>(loaded.ok ? Object.entries(loaded.settings) : []);

describe('the table contains every variable of the specification', () => {
  test.each(specified)('%s is %s', (name, expected) => {
    const row = rows.get(name);
    if (!row) throw new Error(`${name} is not in the table`);
    const value = name in settingsTable ? values.get(keyName(name)) : row.default;
    if (expected === '(not shown)') return expect(row.origin).toBe('default chosen');
    expect(row.origin).toBe('specified');
    if (expected === '(unset)') return expect(value ?? []).toEqual([]);
    expect({ value }).toEqual(row.parse(expected, container));
  });

  test('settings that are not in the specification are marked as added', () => {
    const names = new Set(specified.map(([name]) => name));
    const unmarked = [...rows].filter(([name, row]) => names.has(name) === (row.origin === 'added')).map(([name]) => name);
    expect(unmarked).toEqual([]);
  });
});

describe('every row', () => {
  test('has a description, is in one section, and its default is within its bounds', () => {
    for (const [name, row] of rows) {
      expect(row.description, name).toMatch(/^[A-Z0-9].*[^.]\.$/);
      if (row.default === undefined || Array.isArray(row.default)) continue;
      expect(row.parse(String(row.default), container), name).toEqual({ value: row.default });
    }
    const listed = sections.flatMap(({ settings }) => Object.keys(settings));
    expect(listed.toSorted()).toEqual(Object.keys(settingsTable).toSorted());
  });

  test('has a unique key', () => {
    const keys = Object.keys(settingsTable).map((name) => keyName(name));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('with a computed default has a value after loading', () => {
    const computed = Object.entries<Setting<unknown>>(settingsTable).filter(([, row]) => row.computed);
    expect(computed.length).toBeGreaterThan(0);
    for (const [name] of computed) expect(values.get(keyName(name)), name).toBeDefined();
  });

  test('that a library can override is one of the eight in the specification or the budget for text', () => {
    const overridable = [...rows].filter(([, row]) => row.perLibrary).map(([name]) => keyName(name));
    expect(overridable).toEqual([
      'extractTimeoutSeconds',
      'ffprobeTimeoutS',
      'model3dMaxBytes',
      'emailMaxBytes',
      'documentMaxBytes',
      'docDecompressedMax',
      'docDecompressionRatio',
      'docDecompressionRatioMinBytes',
      'bodyTextMaxChars',
    ]);
  });
});

describe('LDAP values', () => {
  const load = (name: string, value: string) => loadSettings({ [name]: value }, { envFileText: '', host: container });

  test.each(['(a=b)', '(&(a=b)(|(c=d)(e={username})))'])('the filter %s is accepted', (filter) => {
    expect(load('SVC_LDAP_USER_FILTER', filter).ok).toBe(true);
  });

  test.each(['a=b', '(a=b', '(a=b))', '(a=b)(c=d)', ')('])('the filter %s is rejected', (filter) => {
    expect(load('SVC_LDAP_USER_FILTER', filter).ok).toBe(false);
  });

  test('extra directories are a JSON list of objects with known keys', () => {
    const good = load('SVC_LDAP_DIRECTORIES', '[{"server":"ldaps://b","label":"B"}]');
    expect(good.ok && good.settings.ldapDirectories).toEqual([{ server: 'ldaps://b', label: 'B' }]);
    for (const bad of ['{}', '[1]', '[null]', '[[]]', '[{"sever":"x"}]', '[{"server":1}]']) {
      expect(load('SVC_LDAP_DIRECTORIES', bad).ok, bad).toBe(false);
    }
  });
});
