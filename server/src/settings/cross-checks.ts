import { isPlaceholder } from './computed-defaults.ts';
import type { SettingName, SettingValues } from './settings-type.ts';

/**
 * A rule between settings. An error stops the start: the service would not know what to do. A warning is printed:
 * the service works, but hardly as meant.
 */
export interface CrossCheck {
  readonly severity: 'error' | 'warning';
  /** The check is left out when one of these could not be read, so that one mistake gives one message. */
  readonly names: readonly SettingName[];
  /** The rule, as the manual states it and as a person reads it when it is broken. */
  readonly sentence: string;
  readonly isViolated: (settings: SettingValues) => boolean;
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

export const crossChecks: readonly CrossCheck[] = [
  {
    severity: 'error',
    names: ['SVC_TLS_CERT_FILE', 'SVC_TLS_KEY_FILE'],
    sentence: 'SVC_TLS_CERT_FILE and SVC_TLS_KEY_FILE go together: set both or neither.',
    isViolated: (s) => (s.tlsCertFile === undefined) !== (s.tlsKeyFile === undefined),
  },
  {
    severity: 'error',
    names: ['SVC_DATABASE_URL', 'SVC_QUEUE_DSN'],
    sentence: 'SVC_QUEUE_DSN needs SVC_DATABASE_URL: the queue lives in the same database.',
    isViolated: (s) => s.databaseUrl === undefined && s.queueDsn !== undefined,
  },
  {
    severity: 'error',
    names: ['SVC_WORKER_QUEUES'],
    sentence: 'SVC_WORKER_QUEUES is either all or a list of queues, not both and not empty.',
    isViolated: (s) => s.workerQueues.length === 0 || (s.workerQueues.includes('all') && s.workerQueues.length > 1),
  },
  {
    severity: 'error',
    names: ['SVC_EXTRACT_BACKPRESSURE_LOW_LOAD', 'SVC_EXTRACT_BACKPRESSURE_HIGH_LOAD'],
    sentence: 'SVC_EXTRACT_BACKPRESSURE_LOW_LOAD must be below SVC_EXTRACT_BACKPRESSURE_HIGH_LOAD.',
    isViolated: (s) => s.extractBackpressureLowLoad >= s.extractBackpressureHighLoad,
  },
  {
    severity: 'error',
    names: ['SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY', 'SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY'],
    sentence: 'SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY must not be above SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY (unless that is 0).',
    isViolated: (s) => s.extractBackpressureMaxConcurrency > 0 && s.extractBackpressureMinConcurrency > s.extractBackpressureMaxConcurrency,
  },
  {
    severity: 'error',
    names: ['SVC_CHUNK_OVERLAP_CHARS', 'SVC_CHUNK_SIZE_CHARS'],
    sentence: 'SVC_CHUNK_OVERLAP_CHARS must be below SVC_CHUNK_SIZE_CHARS, or passages never advance.',
    isViolated: (s) => s.chunkOverlapChars >= s.chunkSizeChars,
  },
  {
    severity: 'error',
    names: ['SVC_THUMBNAIL_GRID_PX', 'SVC_THUMBNAIL_PREVIEW_PX'],
    sentence: 'SVC_THUMBNAIL_PREVIEW_PX must not be below SVC_THUMBNAIL_GRID_PX.',
    isViolated: (s) => s.thumbnailPreviewPx < s.thumbnailGridPx,
  },
  {
    severity: 'warning',
    names: ['SVC_AUTH_ENABLED'],
    sentence: 'SVC_AUTH_ENABLED is false: every route is open, without any login. Use this for development only.',
    isViolated: (s) => !s.authEnabled,
  },
  {
    severity: 'warning',
    names: ['SVC_AUTH_ENABLED', 'SVC_HOST'],
    sentence: 'SVC_AUTH_ENABLED is false and SVC_HOST is not this machine alone: anyone on the network can read and change the catalog.',
    isViolated: (s) => !s.authEnabled && !loopback.test(s.host),
  },
  {
    severity: 'warning',
    names: ['SVC_SESSION_INACTIVITY_HOURS', 'SVC_SESSION_TTL_HOURS'],
    sentence: 'SVC_SESSION_INACTIVITY_HOURS is above SVC_SESSION_TTL_HOURS, so the idle limit is never reached.',
    isViolated: (s) => s.sessionInactivityHours > s.sessionTtlHours,
  },
  {
    severity: 'warning',
    names: ['SVC_SESSION_COOKIE_SAMESITE'],
    sentence:
      'SVC_SESSION_COOKIE_SAMESITE is none: other sites can send requests with the session. Choose lax unless you embed the console.',
    isViolated: (s) => s.sessionCookieSamesite === 'none',
  },
  {
    severity: 'warning',
    names: ['SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR'],
    sentence: 'SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR believes any caller about its address. Set SVC_TRUSTED_PROXIES instead.',
    isViolated: (s) => s.authRatelimitTrustForwardedFor,
  },
  {
    severity: 'warning',
    names: ['SVC_AGENTS_ENABLED', 'SVC_AGENT_AUTH_MODE', 'SVC_PROXY_SHARED_SECRET'],
    sentence: 'SVC_AGENT_AUTH_MODE mtls-header needs SVC_PROXY_SHARED_SECRET: without it every agent request is refused.',
    isViolated: (s) => s.agentsEnabled && s.agentAuthMode === 'mtls-header' && s.proxySharedSecret === undefined,
  },
  {
    severity: 'warning',
    names: ['SVC_PROXY_SHARED_SECRET'],
    sentence: 'SVC_PROXY_SHARED_SECRET is short or a placeholder. Use at least 16 random characters.',
    isViolated: (s) => isWeakSecret(s.proxySharedSecret),
  },
  {
    severity: 'warning',
    names: ['SVC_SECRET_KEY'],
    sentence: 'SVC_SECRET_KEY is short or a placeholder. Use at least 16 random characters, before the first channel is saved.',
    isViolated: (s) => isWeakSecret(s.secretKey),
  },
  {
    severity: 'warning',
    names: ['SVC_SEARCH_URL', 'SVC_SEARCH_MASTER_KEY'],
    sentence: 'SVC_SEARCH_URL is set without a real SVC_SEARCH_MASTER_KEY. Give the search engine a key of its own.',
    isViolated: (s) => s.searchUrl !== undefined && (s.searchMasterKey === undefined || isPlaceholder(s.searchMasterKey)),
  },
  {
    severity: 'warning',
    names: ['SVC_CA_PROVISIONER_JWK'],
    sentence: 'SVC_CA_PROVISIONER_JWK is not a private EC P-256 JWK. Agents register, but get no certificate token.',
    isViolated: (s) => s.caProvisionerJwk !== undefined && !isPrivateP256Key(s.caProvisionerJwk),
  },
  {
    severity: 'warning',
    names: ['SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY', 'SVC_WORKER_CONCURRENCY'],
    sentence: 'SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY is above SVC_WORKER_CONCURRENCY, which is as many jobs as a worker runs.',
    isViolated: (s) => s.extractBackpressureMinConcurrency > s.workerConcurrency,
  },
  {
    severity: 'warning',
    names: ['SVC_DISK_WARN_FREE_GB', 'SVC_DISK_MIN_FREE_GB'],
    sentence: 'SVC_DISK_WARN_FREE_GB is below SVC_DISK_MIN_FREE_GB: the disk turns critical without a warning before.',
    isViolated: (s) => s.diskWarnFreeGb < s.diskMinFreeGb,
  },
  {
    severity: 'warning',
    names: ['SVC_DISK_WARN_PCT_FREE', 'SVC_DISK_CRIT_PCT_FREE'],
    sentence: 'SVC_DISK_WARN_PCT_FREE is below SVC_DISK_CRIT_PCT_FREE: the disk turns critical without a warning before.',
    isViolated: (s) => s.diskWarnPctFree < s.diskCritPctFree,
  },
  {
    severity: 'warning',
    names: ['SVC_OIDC_ENABLED', 'SVC_OIDC_ISSUER', 'SVC_OIDC_CLIENT_ID'],
    sentence: 'SVC_OIDC_ENABLED needs SVC_OIDC_ISSUER and SVC_OIDC_CLIENT_ID, here or in the console.',
    isViolated: (s) => s.oidcEnabled && (s.oidcIssuer === undefined || s.oidcClientId === undefined),
  },
  {
    severity: 'warning',
    names: ['SVC_OIDC_SCOPES'],
    sentence: 'SVC_OIDC_SCOPES lacks openid, so providers answer without an identity.',
    isViolated: (s) => !s.oidcScopes.includes('openid'),
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_ENABLED', 'SVC_LDAP_SERVER', 'SVC_LDAP_USER_BASE'],
    sentence: 'SVC_LDAP_ENABLED needs SVC_LDAP_SERVER and SVC_LDAP_USER_BASE, here or in the console.',
    isViolated: (s) => s.ldapEnabled && (s.ldapServer === undefined || s.ldapUserBase === undefined),
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_ENABLED', 'SVC_LDAP_SERVER', 'SVC_LDAP_START_TLS'],
    sentence: 'SVC_LDAP_SERVER is ldap:// without SVC_LDAP_START_TLS: passwords travel in the clear.',
    isViolated: (s) => s.ldapEnabled && (s.ldapServer?.startsWith('ldap:') ?? false) && !s.ldapStartTls,
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_SERVER', 'SVC_LDAP_START_TLS'],
    sentence: 'SVC_LDAP_START_TLS is for ldap:// addresses; an ldaps:// connection is encrypted from the start.',
    isViolated: (s) => s.ldapStartTls && (s.ldapServer?.startsWith('ldaps:') ?? false),
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_DIRECTORY_SYNC_ENABLED', 'SVC_LDAP_BIND_DN', 'SVC_LDAP_BIND_PASSWORD'],
    sentence: 'SVC_LDAP_DIRECTORY_SYNC_ENABLED needs SVC_LDAP_BIND_DN and SVC_LDAP_BIND_PASSWORD, here or in the console.',
    isViolated: (s) => s.ldapDirectorySyncEnabled && (s.ldapBindDn === undefined || s.ldapBindPassword === undefined),
  },
];

function isWeakSecret(secret: string | undefined): boolean {
  return secret !== undefined && (secret.length < 16 || isPlaceholder(secret));
}

function isPrivateP256Key(raw: string): boolean {
  try {
    const key: unknown = JSON.parse(raw);
    const fields = typeof key === 'object' && key !== null ? new Map(Object.entries(key)) : new Map();
    return (
      fields.get('kty') === 'EC' && fields.get('crv') === 'P-256' && ['d', 'x', 'y'].every((part) => typeof fields.get(part) === 'string')
    );
  } catch {
    return false;
  }
}
