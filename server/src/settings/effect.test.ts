import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { hasNoEffect, isEnabled } from './enabled.ts';
import { loadSettings, settingsForTests } from './load.ts';
import { configurationPage } from './manual.ts';
import { keyName } from './settings-type.ts';
import { deploymentSection, settingsTable } from './table/index.ts';
import { settingsNotBuilt } from './table/not-built.ts';

const source = fileURLToPath(new URL('..', import.meta.url));
const root = path.join(source, '..', '..');

/** Read by this folder itself: the environment file, and the password that is put into the connection strings. */
const readHere = ['SVC_ENV_FILE', 'DB_PASSWORD'];

/** Gates the requests of capabilities by their switches. That alone gives a setting no effect. */
const gates = 'platform/outbound/purposes.ts';

const sourceFiles = (folder: string, ends: RegExp, except = ''): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .filter((name) => name !== except && ends.test(name) && !/\.(test|fixture)\.ts$|^settings\/|node_modules|dist\//.test(name))
    .map((name) => readFileSync(path.join(folder, name), 'utf8'));

/** Keys of settings that the code reads: `settings.key`, `isEnabled(settings, 'NAME')`, and destructured or picked ones. */
function keysRead(texts: readonly string[]): Set<string> {
  const keys = new Set<string>();
  for (const text of texts) {
    for (const [, key = ''] of text.matchAll(/[sS]ettings\??\.(\w+)/g)) keys.add(key);
    for (const [, name = ''] of text.matchAll(/isEnabled\(\s*\w*\.?settings,\s*'(\w+)'/g)) if (!hasNoEffect(name)) keys.add(keyName(name));
    for (const [, list = ''] of text.matchAll(/\{([^{}]*)\}\s*(?:=\s*(?:\w+\.)?settings\b|:\s*(?:Settings\b|Dependencies\['settings'\]))/g))
      for (const [key] of list.matchAll(/\w+/g)) keys.add(key);
    for (const [, list = ''] of text.matchAll(/Pick<\s*Settings,([^>]*)>/g))
      for (const [, key = ''] of list.matchAll(/'(\w+)'/g)) keys.add(key);
  }
  return keys;
}

describe('a setting that does nothing is not offered', () => {
  const read = keysRead(sourceFiles(source, /\.ts$/));
  const names = Object.keys(settingsTable);
  const deployed = [...sourceFiles(path.join(root, 'deploy'), /./), ...sourceFiles(path.join(root, 'scripts'), /\.(mjs|sh)$/)].join('\n');

  test('every setting is read by code outside this folder, or listed as having no effect', () => {
    expect(names.filter((name) => !read.has(keyName(name)) && !hasNoEffect(name) && !readHere.includes(name))).toEqual([]);
  });

  test('no setting that is listed as having no effect is read', () => {
    const used = keysRead(sourceFiles(source, /\.ts$/, gates));
    expect(names.filter((name) => used.has(keyName(name)) && hasNoEffect(name))).toEqual([]);
  });

  test('every variable of the container files and scripts is used by them, or listed as having no effect', () => {
    const variables = Object.keys(deploymentSection.settings).filter((name) => name !== 'SEARCH_MASTER_KEY');
    expect(variables.filter((name) => deployed.includes(name) === hasNoEffect(name))).toEqual([]);
  });

  test('the list names known settings only, each once', () => {
    const known = new Set([...names, ...Object.keys(deploymentSection.settings)]);
    expect(settingsNotBuilt.filter((name) => !known.has(name))).toEqual([]);
    expect(new Set(settingsNotBuilt).size).toBe(settingsNotBuilt.length);
  });

  test('setting one that has no effect gives a warning by name, from the environment and from the file', () => {
    const [first, second] = settingsNotBuilt.filter((name) => name.endsWith('_ENABLED'));
    if (!first || !second) return;
    const loaded = loadSettings({ [first]: 'true' }, { envFileText: `${second}=true\nSVC_PORT=80` });
    expect(loaded.warnings).toEqual(
      expect.arrayContaining([`${first} has no effect in this version.`, `${second} has no effect in this version.`]),
    );
    expect(loaded.warnings.join()).not.toContain('SVC_PORT');
    expect(loadSettings({}, { envFileText: '' }).warnings.join()).not.toContain('no effect');
    expect(loadSettings({ [first]: '' }, { envFileText: '' }).warnings.join()).not.toContain('no effect');
  });

  test('the configuration page of the manual marks it', () => {
    const rows = configurationPage().split('\n');
    for (const name of [...names, ...Object.keys(deploymentSection.settings)])
      expect(
        rows
          .find((row) => row.startsWith(`| \`${name}\``))
          ?.split('|')[1]
          ?.includes('³'),
        name,
      ).toBe(hasNoEffect(name));
  });

  test('a switch without a capability is never on', () => {
    for (const name of ['SVC_AGENTS_ENABLED', 'SVC_SEMANTIC_ENABLED', 'SVC_OIDC_ENABLED', 'SVC_LDAP_ENABLED'] as const)
      expect(isEnabled(settingsForTests({ [name]: 'true' }), name), name).toBe(!hasNoEffect(name));
    expect(isEnabled(settingsForTests({ SVC_THUMBS_ENABLED: 'false' }), 'SVC_THUMBS_ENABLED')).toBe(false);
  });
});
