import { describe, expect, test } from 'vitest';
import { describeSettings, maskUrlPassword } from './describe.ts';
import { loadSettings, settingsForTests } from './load.ts';
import type { Setting } from './setting.ts';
import { settingsTable } from './table/index.ts';

const names = Object.keys(settingsTable);

describe('the description for the About page', () => {
  test('has one row for every setting, with value, default, source, unit and section', () => {
    const rows = describeSettings(settingsForTests({ SVC_SCAN_BATCH_SIZE: '7' }));
    expect(rows.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    expect(rows.find(({ name }) => name === 'SVC_SCAN_BATCH_SIZE')).toEqual({
      name: 'SVC_SCAN_BATCH_SIZE',
      value: '7',
      default: '500',
      source: 'environment',
      unit: 'files',
      description: 'Number of files written to the database in one batch.',
      section: 'Scanning and hashing',
      has_effect: true,
    });
  });

  test('shows only whether a secret is set', () => {
    const secrets = Object.entries<Setting<unknown>>(settingsTable).filter(([, row]) => row.secret);
    const env = Object.fromEntries(secrets.map(([name]) => [name, valueFor(name)]));
    const rows = describeSettings(settingsForTests(env)).filter(({ name }) => name in env);
    expect(rows.length).toBeGreaterThanOrEqual(11);
    expect(new Set(rows.map(({ value }) => value))).toEqual(new Set(['set']));
    expect(JSON.stringify(describeSettings(settingsForTests(env)))).not.toContain('hunter2');
    const unset = describeSettings(settingsForTests()).filter(({ name }) => name in env);
    expect(new Set(unset.map(({ value }) => value))).toEqual(new Set(['unset']));
  });

  test('hides a password inside any address', () => {
    const rows = describeSettings(settingsForTests({ SVC_NL_OLLAMA_URL: 'http://me:hunter2@llm:11434' }));
    expect(rows.find(({ name }) => name === 'SVC_NL_OLLAMA_URL')?.value).toBe('http://me:***@llm:11434');
  });
});

describe('errors', () => {
  test('never contain a secret', () => {
    const wrong = {
      SVC_DATABASE_URL: 'mysql://u:hunter2@h/d',
      SVC_QUEUE_DSN: 'hunter2',
      SVC_LDAP_DIRECTORIES: '[{"bind_pasword":"hunter2"}]',
      SVC_SEARCH_URL: 'ftp://me:hunter2@search',
      SVC_CA_URL: 'tcp://me:hun/ter2@x',
    };
    const fromEnv = loadSettings(wrong, { envFileText: '' });
    expect(!fromEnv.ok && fromEnv.errors.length).toBe(5);
    expect(JSON.stringify(fromEnv)).not.toMatch(/hunter2|ter2/);
    const text = Object.entries(wrong).map(([name, value]) => `${name}='${value}'`);
    expect(JSON.stringify(loadSettings({}, { envFileText: text.join('\n') }))).not.toMatch(/hunter2|ter2/);
  });

  test.each([
    ['http://a:b@h/x', 'http://a:***@h/x'],
    ['http://a:b@c@h', 'http://a:***@h'],
    ['http://a@h', 'http://a@h'],
    ['http://a:b/c?d#e@h', 'http://a:***@h'],
    ['http://h:80/a', 'http://h:80/a'],
  ])('an address %s is shown as %s', (raw, shown) => {
    expect(maskUrlPassword(raw)).toBe(shown);
  });
});

function valueFor(name: string): string {
  if (name === 'SVC_LDAP_DIRECTORIES') return '[{"bind_password":"hunter2"}]';
  if (name === 'SVC_OIDC_PROVIDERS') return '[{"name":"a","issuer":"https://id","client_id":"c","client_secret":"hunter2"}]';
  return /URL|DSN/.test(name) ? 'postgresql://u:hunter2@h/d' : 'hunter2-and-sixteen-letters';
}
