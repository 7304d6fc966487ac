import { describe, expect, test } from 'vitest';
import { queues } from '../platform/queue/index.ts';
import { crossChecks } from './cross-checks.ts';
import { fakeHost } from './fake-host.ts';
import { type Environment, loadSettings } from './load.ts';
import { queueNames } from './table/workers.ts';

const host = fakeHost([], { '/tls/a.pem': '', '/tls/b.pem': '' });
const goodKey = '{"kty":"EC","crv":"P-256","x":"a","y":"b","d":"c"}';
const database = 'postgresql://u:p@h/d';

/** For every rule: the start of its message, an environment that violates it, and a similar one that does not. */
const cases: readonly (readonly [string, Environment, Environment])[] = [
  [
    'SVC_TLS_CERT_FILE and SVC_TLS_KEY_FILE',
    { SVC_TLS_CERT_FILE: '/tls/a.pem' },
    { SVC_TLS_CERT_FILE: '/tls/a.pem', SVC_TLS_KEY_FILE: '/tls/b.pem' },
  ],
  ['SVC_TLS_CERT_FILE and SVC_TLS_KEY_FILE', { SVC_TLS_KEY_FILE: '/tls/b.pem' }, {}],
  ['SVC_QUEUE_DSN requires', { SVC_QUEUE_DSN: database }, { SVC_QUEUE_DSN: database, SVC_DATABASE_URL: database }],
  [
    'SVC_DATABASE_REPLICA_URL requires',
    { SVC_DATABASE_REPLICA_URL: database },
    { SVC_DATABASE_REPLICA_URL: database, SVC_DATABASE_URL: database },
  ],
  [
    'SVC_STOP_DELAY_SECONDS must be at most',
    { SVC_STOP_DELAY_SECONDS: '5', SVC_STOP_GRACE_SECONDS: '14' },
    { SVC_STOP_DELAY_SECONDS: '5', SVC_STOP_GRACE_SECONDS: '15' },
  ],
  ['SVC_BACKUP_PASSPHRASE must have', { SVC_BACKUP_PASSPHRASE: 'too short' }, { SVC_BACKUP_PASSPHRASE: 'long enough a phrase' }],
  ['SVC_WORKER_QUEUES must be either', { SVC_WORKER_QUEUES: 'all,scan' }, { SVC_WORKER_QUEUES: 'scan,index' }],
  ['SVC_WORKER_QUEUES must be either', { SVC_WORKER_QUEUES: ',' }, { SVC_WORKER_QUEUES: 'all' }],
  ['SVC_EXTRACT_BACKPRESSURE_LOW_LOAD must', { SVC_EXTRACT_BACKPRESSURE_LOW_LOAD: '0.85' }, { SVC_EXTRACT_BACKPRESSURE_LOW_LOAD: '0.84' }],
  [
    'SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY must',
    { SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY: '3', SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY: '2' },
    { SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY: '3', SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY: '0' },
  ],
  ['SVC_CHUNK_OVERLAP_CHARS must', { SVC_CHUNK_SIZE_CHARS: '150' }, { SVC_CHUNK_SIZE_CHARS: '151' }],
  ['SVC_THUMBNAIL_PREVIEW_PX must', { SVC_THUMBNAIL_GRID_PX: '801' }, { SVC_THUMBNAIL_GRID_PX: '800' }],
  ['SVC_AUTH_ENABLED is false: every', { SVC_AUTH_ENABLED: 'false' }, {}],
  ['SVC_AUTH_ENABLED is false and', { SVC_AUTH_ENABLED: 'false', SVC_HOST: '0.0.0.0' }, { SVC_AUTH_ENABLED: 'false', SVC_HOST: '::1' }],
  ['SVC_SESSION_INACTIVITY_HOURS is above', { SVC_SESSION_TTL_HOURS: '167' }, { SVC_SESSION_TTL_HOURS: '168' }],
  ['SVC_SESSION_COOKIE_SAMESITE is none', { SVC_SESSION_COOKIE_SAMESITE: 'none' }, { SVC_SESSION_COOKIE_SAMESITE: 'strict' }],
  ['SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR', { SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR: 'true' }, {}],
  [
    'SVC_AGENT_AUTH_MODE mtls-header requires',
    { SVC_AGENTS_ENABLED: 'true', SVC_AGENT_AUTH_MODE: 'mtls-header' },
    { SVC_AGENTS_ENABLED: 'true', SVC_AGENT_AUTH_MODE: 'mtls-header', SVC_PROXY_SHARED_SECRET: '0123456789abcdef' },
  ],
  ['SVC_PROXY_SHARED_SECRET is short', { SVC_PROXY_SHARED_SECRET: '0123456789abcde' }, { SVC_PROXY_SHARED_SECRET: '0123456789abcdef' }],
  ['SVC_SECRET_KEY is short', { SVC_SECRET_KEY: 'change-me-before-you-start' }, { SVC_SECRET_KEY: '0123456789abcdef' }],
  ['SVC_SEARCH_URL is set', { SVC_SEARCH_URL: 'http://s:7700' }, { SVC_SEARCH_URL: 'http://s:7700', SEARCH_MASTER_KEY: 'k1' }],
  ['SVC_SEARCH_URL is set', { SVC_SEARCH_URL: 'http://s:7700', SVC_SEARCH_MASTER_KEY: 'changeme' }, {}],
  [
    'SVC_SEARCH_ENGINE is opensearch',
    { SVC_SEARCH_ENGINE: 'opensearch' },
    { SVC_SEARCH_ENGINE: 'opensearch', SVC_SEARCH_URL: 'http://s:9200', SEARCH_MASTER_KEY: 'a:b' },
  ],
  ['SVC_CA_PROVISIONER_JWK is not', { SVC_CA_PROVISIONER_JWK: '{"kty":"RSA"}' }, { SVC_CA_PROVISIONER_JWK: goodKey }],
  ['SVC_CA_PROVISIONER_JWK is not', { SVC_CA_PROVISIONER_JWK: 'not json' }, {}],
  [
    'SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY is above',
    { SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY: '5' },
    { SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY: '4' },
  ],
  ['SVC_DISK_WARN_FREE_GB is below', { SVC_DISK_MIN_FREE_GB: '20.5' }, { SVC_DISK_MIN_FREE_GB: '20' }],
  ['SVC_DISK_WARN_PCT_FREE is below', { SVC_DISK_CRIT_PCT_FREE: '11' }, { SVC_DISK_CRIT_PCT_FREE: '10' }],
  [
    'SVC_OIDC_ENABLED requires',
    { SVC_OIDC_ENABLED: 'true', SVC_OIDC_ISSUER: 'https://id' },
    { SVC_OIDC_ENABLED: 'true', SVC_OIDC_ISSUER: 'https://id', SVC_OIDC_CLIENT_ID: 'c' },
  ],
  ['SVC_OIDC_SCOPES does not include', { SVC_OIDC_SCOPES: 'profile' }, { SVC_OIDC_SCOPES: 'openid' }],
  [
    'SVC_LDAP_ENABLED requires',
    { SVC_LDAP_ENABLED: 'true', SVC_LDAP_SERVER: 'ldaps://d' },
    { SVC_LDAP_ENABLED: 'true', SVC_LDAP_SERVER: 'ldaps://d', SVC_LDAP_USER_BASE: 'ou=u' },
  ],
  [
    'SVC_LDAP_SERVER uses ldap:// without',
    { SVC_LDAP_ENABLED: 'true', SVC_LDAP_SERVER: 'ldap://d' },
    { SVC_LDAP_ENABLED: 'true', SVC_LDAP_SERVER: 'ldap://d', SVC_LDAP_START_TLS: 'true' },
  ],
  [
    'SVC_LDAP_START_TLS has no effect',
    { SVC_LDAP_SERVER: 'ldaps://d', SVC_LDAP_START_TLS: 'true' },
    { SVC_LDAP_SERVER: 'ldap://d', SVC_LDAP_START_TLS: 'true' },
  ],
  [
    'SVC_LDAP_DIRECTORY_SYNC_ENABLED requires',
    { SVC_LDAP_DIRECTORY_SYNC_ENABLED: 'true', SVC_LDAP_BIND_DN: 'cn=s' },
    { SVC_LDAP_DIRECTORY_SYNC_ENABLED: 'true', SVC_LDAP_BIND_DN: 'cn=s', SVC_LDAP_BIND_PASSWORD: 'p' },
  ],
];

describe('rules between settings', () => {
  test.each(cases)('%s', (words, breaking, keeping) => {
    const check = crossChecks.find(({ message }) => message.startsWith(words));
    const broken = loadSettings(breaking, { envFileText: '', host });
    const kept = loadSettings(keeping, { envFileText: '', host });
    expect(check?.severity === 'error' ? !broken.ok && broken.errors : broken.warnings).toContain(check?.message);
    expect(broken.ok).toBe(check?.severity === 'warning');
    expect(kept.ok).toBe(true);
    expect(kept.warnings).not.toContain(check?.message);
  });

  test('every rule has a case here', () => {
    const untested = crossChecks.filter(({ message }) => !cases.some(([words]) => message.startsWith(words)));
    expect(untested).toEqual([]);
  });

  test('the defaults violate no rule', () => {
    expect(loadSettings({}, { envFileText: '', host })).toMatchObject({ ok: true, warnings: [] });
  });

  test('a rule is skipped when one of its settings is invalid, so that one mistake causes one message', () => {
    const result = loadSettings({ SVC_CHUNK_SIZE_CHARS: 'tiny', SVC_CHUNK_OVERLAP_CHARS: '5000' }, { envFileText: '', host });
    expect(!result.ok && result.errors).toEqual([
      'SVC_CHUNK_SIZE_CHARS must be a whole number of at least 1, not "tiny" (in the environment).',
    ]);
  });

  test('all violated rules are listed', () => {
    const result = loadSettings({ SVC_CHUNK_SIZE_CHARS: '1', SVC_THUMBNAIL_GRID_PX: '900', SVC_PORT: '-1' }, { envFileText: '', host });
    expect(!result.ok && result.errors.length).toBe(3);
  });
});

test('a worker takes only names of queues that exist', () => {
  expect([...queueNames].sort()).toEqual(Object.keys(queues).sort());
  const result = loadSettings({ SVC_WORKER_QUEUES: 'scan,indx' }, { envFileText: '', host });
  expect(!result.ok && result.errors).toEqual([
    expect.stringMatching(/^SVC_WORKER_QUEUES must be all, or names of queues \(scan, extract, index, .*not "scan,indx"/),
  ]);
});
