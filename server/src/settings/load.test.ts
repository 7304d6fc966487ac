import { describe, expect, expectTypeOf, test } from 'vitest';
import { fakeHost } from './fake-host.ts';
import type { Host } from './host.ts';
import { formatSettingsErrors, type Settings, settingsForTests } from './index.ts';
import { type Environment, loadSettings } from './load.ts';
import { sourcesKey } from './settings-type.ts';

function loaded(env: Environment, envFileText = '', host: Host = fakeHost()) {
  const result = loadSettings(env, { envFileText, host });
  if (!result.ok) throw new Error(formatSettingsErrors(result.errors));
  return result;
}

function errorsOf(env: Environment, envFileText = '', host: Host = fakeHost()) {
  const result = loadSettings(env, { envFileText, host });
  return result.ok ? [] : result.errors;
}

describe('loading', () => {
  test('types come from the table', () => {
    expectTypeOf<Settings['scanBatchSize']>().toEqualTypeOf<number>();
    expectTypeOf<Settings['sessionCookieSamesite']>().toEqualTypeOf<'lax' | 'strict' | 'none'>();
    expectTypeOf<Settings['secretKey']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Settings['configDir']>().toEqualTypeOf<string>();
    expectTypeOf<Settings['trustedProxies']>().toEqualTypeOf<readonly string[]>();
    expect(Object.keys(loaded({}).settings)).toContain('model3dMaxBytes');
  });

  test('the result is frozen', () => {
    const { settings } = loaded({});
    expect(() => Object.assign(settings, { port: 1 })).toThrow(TypeError);
  });

  test('the process environment overrides the file, and the file overrides the default', () => {
    const { settings } = loaded({ SVC_PORT: '1' }, 'SVC_PORT=2\nSVC_SCAN_BATCH_SIZE=3');
    expect([settings.port, settings.scanBatchSize, settings.workerConcurrency]).toEqual([1, 3, 4]);
    expect(['SVC_PORT', 'SVC_SCAN_BATCH_SIZE', 'SVC_WORKER_CONCURRENCY'].map((name) => settings[sourcesKey].get(name))).toEqual([
      'environment',
      'file',
      'default',
    ]);
  });

  test('an empty value means unset, even if the file has a value', () => {
    const { settings } = loaded({ SVC_PORT: ' ', SVC_SECRET_KEY: '' }, 'SVC_PORT=2');
    expect([settings.port, settings.secretKey]).toEqual([8484, undefined]);
  });

  test('a setting can be set by its aliases', () => {
    expect(loaded({ SEARCH_MASTER_KEY: 'outer' }).settings.searchMasterKey).toBe('outer');
    expect(loaded({ SEARCH_MASTER_KEY: 'outer', SVC_SEARCH_MASTER_KEY: 'own' }).settings.searchMasterKey).toBe('own');
  });

  test('every error is listed with its location', () => {
    const text = 'A=1\nSVC_AGENT_CERT_TTL_HOURS=12\nSVC_SIDECAR_METADATA_PRIORITY=maybe';
    expect(errorsOf({ SVC_PORT: 'abc', SVC_AUTH_ENABLED: 'perhaps' }, text)).toEqual([
      'SVC_PORT must be a whole number from 0 to 65535, not "abc" (in the environment).',
      'SVC_AUTH_ENABLED must be true or false, not "perhaps" (in the environment).',
      'SVC_SIDECAR_METADATA_PRIORITY must be fill or sidecar, not "maybe" (in the environment file, line 3).',
      'SVC_AGENT_CERT_TTL_HOURS must be a whole number from 24 to 72, not "12" (in the environment file, line 2).',
    ]);
  });

  test('the list of errors is formatted for people', () => {
    expect(formatSettingsErrors(['A.', 'B.'])).toBe('Some settings are invalid. Correct them and start again:\n  - A.\n  - B.\n');
  });

  test('unknown SVC_ names are reported with the nearest known one', () => {
    const { warnings } = loaded({ SVC_SCAN_BATCHSIZE: '1', OTHER: 'x' }, 'SVC_PROT=1\nFOO=2\nSVC_QQQQQQQQQQQQQ=1');
    expect(warnings).toEqual([
      'SVC_PROT is not a setting and is ignored. Did you mean SVC_PORT?',
      'SVC_QQQQQQQQQQQQQ is not a setting and is ignored. The manual lists all settings.',
      'SVC_SCAN_BATCHSIZE is not a setting and is ignored. Did you mean SVC_SCAN_BATCH_SIZE?',
    ]);
  });
});

describe('the environment file', () => {
  test('is .env in the working directory if it exists', () => {
    const host = fakeHost([], { '/work-dir/.env': 'SVC_PORT=9' });
    const result = loadSettings({}, { host });
    expect(result.ok && result.settings.port).toBe(9);
    expect(loadSettings({}, { host: fakeHost() }).ok).toBe(true);
  });

  test('is the file named by SVC_ENV_FILE, and errors name it', () => {
    const host = fakeHost([], { '/work-dir/.env': 'SVC_PORT=9', '/etc/catalog.env': 'SVC_PORT=x\nnonsense' });
    const result = loadSettings({ SVC_ENV_FILE: '/etc/catalog.env' }, { host });
    expect(!result.ok && result.errors).toEqual([
      'In /etc/catalog.env: Line 2 is not in the form NAME=value. Correct it, or put # in front of it.',
      'SVC_PORT must be a whole number from 0 to 65535, not "x" (in /etc/catalog.env, line 1).',
    ]);
  });

  test('that is configured but missing is an error', () => {
    const result = loadSettings({ SVC_ENV_FILE: '/etc/none.env' }, { host: fakeHost() });
    expect(!result.ok && result.errors).toEqual(['The environment file /etc/none.env cannot be read (ENOENT).']);
  });
});

describe('defaults that depend on the machine', () => {
  test('the config folder is /config when that exists and is writable', () => {
    expect(loaded({}, '', fakeHost(['/config'])).settings).toMatchObject({
      configDir: '/config',
      shareMapPath: '/config/share-map.json',
      agentReleasesDir: '/config/agent-releases',
    });
  });

  test('the config folder is in the data directory of the user otherwise', () => {
    const readOnly = fakeHost(['/config'], {}, ['/config']);
    expect(loaded({}, '', readOnly).settings.configDir).toBe('/home/ann/.local/share/catalog');
    expect(loaded({ XDG_DATA_HOME: '/data/ann' }).settings.configDir).toBe('/data/ann/catalog');
    expect(loaded({ XDG_DATA_HOME: 'relative' }).settings.configDir).toBe('/home/ann/.local/share/catalog');
  });

  test('default paths are inside the config folder', () => {
    const { settings } = loaded({ SVC_CONFIG_DIR: '/srv/c', SVC_SHARE_MAP_PATH: '/etc/map.json' });
    expect([settings.agentReleasesDir, settings.shareMapPath]).toEqual(['/srv/c/agent-releases', '/etc/map.json']);
  });

  test('the folder picker shows MEDIA_PATH, else the home folder and the usual mount points that exist', () => {
    const host = fakeHost(['/mnt', '/data']);
    expect(loaded({ MEDIA_PATH: '/srv/files' }, '', host).settings.browseRoots).toEqual(['/srv/files']);
    expect(loaded({}, '', host).settings.browseRoots).toEqual(['/home/ann', '/mnt', '/data']);
    expect(loaded({ SVC_BROWSE_ROOTS: '/a,/b', MEDIA_PATH: '/c' }, '', host).settings.browseRoots).toEqual(['/a', '/b']);
  });

  test('without addresses the database, the queue and the search engine are embedded', () => {
    const { settings } = loaded({});
    expect([settings.databaseUrl, settings.queueDsn, settings.searchUrl]).toEqual([undefined, undefined, undefined]);
  });

  test('the queue uses the database unless it has its own connection string', () => {
    const database = 'postgresql://u:p@db/catalog';
    expect(loaded({ SVC_DATABASE_URL: database }).settings.queueDsn).toBe(database);
    expect(loaded({ SVC_DATABASE_URL: database, SVC_QUEUE_DSN: 'postgresql://u:p@pool/catalog' }).settings.queueDsn).toBe(
      'postgresql://u:p@pool/catalog',
    );
  });

  test('DB_PASSWORD completes a connection string that names a user without a password', () => {
    const url = (address: string) => loaded({ SVC_DATABASE_URL: address, DB_PASSWORD: 'a@b%41/c' }).settings.databaseUrl ?? '';
    expect(decodeURIComponent(new URL(url('postgresql://me@db/x')).password)).toBe('a@b%41/c');
    expect(url('postgresql://me:own@db/x')).toBe('postgresql://me:own@db/x');
    expect(url('postgresql://db/x')).toBe('postgresql://db/x');
  });

  test('directory sync uses the base DNs of sign-in by default', () => {
    const { settings } = loaded({ SVC_LDAP_USER_BASE: 'ou=u', SVC_LDAP_GROUP_BASE: 'ou=g', SVC_LDAP_DIRECTORY_GROUP_BASE: 'ou=own' });
    expect([settings.ldapDirectoryUserBase, settings.ldapDirectoryGroupBase]).toEqual(['ou=u', 'ou=own']);
  });

  test.each(['<your token>', 'changeme', 'hf_xxxxxxxx', 'placeholder'])('the model hub token %s means anonymous download', (token) => {
    expect(loaded({ MODEL_HUB_TOKEN: token }).settings.modelHubToken).toBeUndefined();
  });

  test('a real model hub token is kept', () => {
    expect(loaded({ HF_TOKEN: 'hf_Abc123' }).settings.modelHubToken).toBe('hf_Abc123');
  });
});

test('settings for tests reject an invalid environment', () => {
  expect(settingsForTests({ SVC_PORT: '0' }).port).toBe(0);
  expect(() => settingsForTests({ SVC_PORT: 'x' })).toThrow(/SVC_PORT must be/);
});
