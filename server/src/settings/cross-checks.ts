import { isPlaceholder } from './computed-defaults.ts';
import type { SettingName, SettingValues } from './settings-type.ts';

/**
 * A rule that involves several settings. The service does not start when an error rule is violated; a warning is only printed.
 */
interface CrossCheck {
  readonly severity: 'error' | 'warning';
  /** The check is skipped if one of these settings is invalid, so that one mistake causes one message. */
  readonly names: readonly SettingName[];
  /** Shown in the manual, and printed when the rule is violated. */
  readonly message: string;
  readonly isViolated: (settings: SettingValues) => boolean;
}

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

export const crossChecks: readonly CrossCheck[] = [
  {
    severity: 'error',
    names: ['SVC_TLS_CERT_FILE', 'SVC_TLS_KEY_FILE'],
    message: 'SVC_TLS_CERT_FILE and SVC_TLS_KEY_FILE must be set together. Set both or neither.',
    isViolated: (s) => (s.tlsCertFile === undefined) !== (s.tlsKeyFile === undefined),
  },
  {
    severity: 'error',
    names: ['SVC_DATABASE_URL', 'SVC_QUEUE_DSN'],
    message: 'SVC_QUEUE_DSN requires SVC_DATABASE_URL, because the queue is stored in the same database.',
    isViolated: (s) => s.databaseUrl === undefined && s.queueDsn !== undefined,
  },
  {
    severity: 'error',
    names: ['SVC_DATABASE_URL', 'SVC_DATABASE_REPLICA_URL'],
    message: 'SVC_DATABASE_REPLICA_URL requires SVC_DATABASE_URL, because the embedded database has no replicas.',
    isViolated: (s) => s.databaseUrl === undefined && s.databaseReplicaUrl !== undefined,
  },
  {
    severity: 'error',
    names: ['SVC_STOP_DELAY_SECONDS', 'SVC_STOP_GRACE_SECONDS'],
    message: 'SVC_STOP_DELAY_SECONDS must be at most a third of SVC_STOP_GRACE_SECONDS, so that running requests can end after it.',
    isViolated: (s) => s.stopDelaySeconds * 3 > s.stopGraceSeconds,
  },
  {
    severity: 'error',
    names: ['SVC_BACKUP_PASSPHRASE'],
    message: 'SVC_BACKUP_PASSPHRASE must have at least 12 characters.',
    isViolated: (s) => s.backupPassphrase !== undefined && s.backupPassphrase.length < 12,
  },
  {
    severity: 'error',
    names: ['SVC_WORKER_QUEUES'],
    message: 'SVC_WORKER_QUEUES must be either "all" or a list of queue names.',
    isViolated: (s) => s.workerQueues.length === 0 || (s.workerQueues.includes('all') && s.workerQueues.length > 1),
  },
  {
    severity: 'error',
    names: ['SVC_EXTRACT_BACKPRESSURE_LOW_LOAD', 'SVC_EXTRACT_BACKPRESSURE_HIGH_LOAD'],
    message: 'SVC_EXTRACT_BACKPRESSURE_LOW_LOAD must be below SVC_EXTRACT_BACKPRESSURE_HIGH_LOAD.',
    isViolated: (s) => s.extractBackpressureLowLoad >= s.extractBackpressureHighLoad,
  },
  {
    severity: 'error',
    names: ['SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY', 'SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY'],
    message: 'SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY must not exceed SVC_EXTRACT_BACKPRESSURE_MAX_CONCURRENCY (unless that is 0).',
    isViolated: (s) => s.extractBackpressureMaxConcurrency > 0 && s.extractBackpressureMinConcurrency > s.extractBackpressureMaxConcurrency,
  },
  {
    severity: 'error',
    names: ['SVC_CHUNK_OVERLAP_CHARS', 'SVC_CHUNK_SIZE_CHARS'],
    message: 'SVC_CHUNK_OVERLAP_CHARS must be below SVC_CHUNK_SIZE_CHARS.',
    isViolated: (s) => s.chunkOverlapChars >= s.chunkSizeChars,
  },
  {
    severity: 'error',
    names: ['SVC_THUMBNAIL_GRID_PX', 'SVC_THUMBNAIL_PREVIEW_PX'],
    message: 'SVC_THUMBNAIL_PREVIEW_PX must not be below SVC_THUMBNAIL_GRID_PX.',
    isViolated: (s) => s.thumbnailPreviewPx < s.thumbnailGridPx,
  },
  {
    severity: 'warning',
    names: ['SVC_AUTH_ENABLED'],
    message: 'SVC_AUTH_ENABLED is false: every route is open without signing in. Use this for development only.',
    isViolated: (s) => !s.authEnabled,
  },
  {
    severity: 'warning',
    names: ['SVC_AUTH_ENABLED', 'SVC_HOST'],
    message:
      'SVC_AUTH_ENABLED is false and SVC_HOST accepts connections from other machines: anyone on the network can read and change the catalog.',
    isViolated: (s) => !s.authEnabled && !loopback.test(s.host),
  },
  {
    severity: 'warning',
    names: ['SVC_SESSION_INACTIVITY_HOURS', 'SVC_SESSION_TTL_HOURS'],
    message: 'SVC_SESSION_INACTIVITY_HOURS is above SVC_SESSION_TTL_HOURS, so the inactivity limit has no effect.',
    isViolated: (s) => s.sessionInactivityHours > s.sessionTtlHours,
  },
  {
    severity: 'warning',
    names: ['SVC_SESSION_COOKIE_SAMESITE'],
    message:
      'SVC_SESSION_COOKIE_SAMESITE is none: other sites can send requests with the session cookie. Use lax unless you embed the console.',
    isViolated: (s) => s.sessionCookieSamesite === 'none',
  },
  {
    severity: 'warning',
    names: ['SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR'],
    message: 'SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR lets any caller forge its address. Set SVC_TRUSTED_PROXIES instead.',
    isViolated: (s) => s.authRatelimitTrustForwardedFor,
  },
  {
    severity: 'warning',
    names: ['SVC_AGENTS_ENABLED', 'SVC_AGENT_AUTH_MODE', 'SVC_PROXY_SHARED_SECRET'],
    message: 'SVC_AGENT_AUTH_MODE mtls-header requires SVC_PROXY_SHARED_SECRET. Without it, every agent request is rejected.',
    isViolated: (s) => s.agentsEnabled && s.agentAuthMode === 'mtls-header' && s.proxySharedSecret === undefined,
  },
  {
    severity: 'warning',
    names: ['SVC_PROXY_SHARED_SECRET'],
    message: 'SVC_PROXY_SHARED_SECRET is short or a placeholder. Use at least 16 random characters.',
    isViolated: (s) => isWeakSecret(s.proxySharedSecret),
  },
  {
    severity: 'warning',
    names: ['SVC_SECRET_KEY'],
    message: 'SVC_SECRET_KEY is short or a placeholder. Use at least 16 random characters before you save the first channel.',
    isViolated: (s) => isWeakSecret(s.secretKey),
  },
  {
    severity: 'warning',
    names: ['SVC_SEARCH_URL', 'SVC_SEARCH_MASTER_KEY'],
    message: 'SVC_SEARCH_URL is set, but SVC_SEARCH_MASTER_KEY is missing or a placeholder. Give the search engine its own key.',
    isViolated: (s) => s.searchUrl !== undefined && (s.searchMasterKey === undefined || isPlaceholder(s.searchMasterKey)),
  },
  {
    severity: 'warning',
    names: ['SVC_SEARCH_ENGINE', 'SVC_SEARCH_URL'],
    message: 'SVC_SEARCH_ENGINE is opensearch, but SVC_SEARCH_URL is not set. The embedded search engine is used.',
    isViolated: (s) => s.searchEngine === 'opensearch' && s.searchUrl === undefined,
  },
  {
    severity: 'warning',
    names: ['SVC_CA_PROVISIONER_JWK'],
    message: 'SVC_CA_PROVISIONER_JWK is not a private EC P-256 JWK. Agents can register but receive no certificate token.',
    isViolated: (s) => s.caProvisionerJwk !== undefined && !isPrivateP256Key(s.caProvisionerJwk),
  },
  {
    severity: 'warning',
    names: ['SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY', 'SVC_WORKER_CONCURRENCY'],
    message: 'SVC_EXTRACT_BACKPRESSURE_MIN_CONCURRENCY is above SVC_WORKER_CONCURRENCY, the number of jobs a worker runs.',
    isViolated: (s) => s.extractBackpressureMinConcurrency > s.workerConcurrency,
  },
  {
    severity: 'warning',
    names: ['SVC_DISK_WARN_FREE_GB', 'SVC_DISK_MIN_FREE_GB'],
    message: 'SVC_DISK_WARN_FREE_GB is below SVC_DISK_MIN_FREE_GB: the disk becomes critical without a prior warning.',
    isViolated: (s) => s.diskWarnFreeGb < s.diskMinFreeGb,
  },
  {
    severity: 'warning',
    names: ['SVC_DISK_WARN_PCT_FREE', 'SVC_DISK_CRIT_PCT_FREE'],
    message: 'SVC_DISK_WARN_PCT_FREE is below SVC_DISK_CRIT_PCT_FREE: the disk becomes critical without a prior warning.',
    isViolated: (s) => s.diskWarnPctFree < s.diskCritPctFree,
  },
  {
    severity: 'warning',
    names: ['SVC_OIDC_ENABLED', 'SVC_OIDC_ISSUER', 'SVC_OIDC_CLIENT_ID'],
    message: 'SVC_OIDC_ENABLED requires SVC_OIDC_ISSUER and SVC_OIDC_CLIENT_ID, as settings or in the console.',
    isViolated: (s) => s.oidcEnabled && (s.oidcIssuer === undefined || s.oidcClientId === undefined),
  },
  {
    severity: 'warning',
    names: ['SVC_OIDC_SCOPES'],
    message: 'SVC_OIDC_SCOPES does not include openid, so the provider returns no identity.',
    isViolated: (s) => !s.oidcScopes.includes('openid'),
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_ENABLED', 'SVC_LDAP_SERVER', 'SVC_LDAP_USER_BASE'],
    message: 'SVC_LDAP_ENABLED requires SVC_LDAP_SERVER and SVC_LDAP_USER_BASE, as settings or in the console.',
    isViolated: (s) => s.ldapEnabled && (s.ldapServer === undefined || s.ldapUserBase === undefined),
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_ENABLED', 'SVC_LDAP_SERVER', 'SVC_LDAP_START_TLS'],
    message: 'SVC_LDAP_SERVER uses ldap:// without SVC_LDAP_START_TLS: passwords are sent unencrypted.',
    isViolated: (s) => s.ldapEnabled && (s.ldapServer?.startsWith('ldap:') ?? false) && !s.ldapStartTls,
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_SERVER', 'SVC_LDAP_START_TLS'],
    message: 'SVC_LDAP_START_TLS has no effect with ldaps://, which is always encrypted. Use it with ldap:// only.',
    isViolated: (s) => s.ldapStartTls && (s.ldapServer?.startsWith('ldaps:') ?? false),
  },
  {
    severity: 'warning',
    names: ['SVC_LDAP_DIRECTORY_SYNC_ENABLED', 'SVC_LDAP_BIND_DN', 'SVC_LDAP_BIND_PASSWORD'],
    message: 'SVC_LDAP_DIRECTORY_SYNC_ENABLED requires SVC_LDAP_BIND_DN and SVC_LDAP_BIND_PASSWORD, as settings or in the console.',
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
