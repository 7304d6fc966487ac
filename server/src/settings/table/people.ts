import { boolean, choice, cidrList, integer, secret } from '../kinds/index.ts';

/** Logins, sessions, the brute-force limiter and reverse proxies. */
export const authSettings = {
  SVC_AUTH_ENABLED: boolean({
    default: true,
    sentence: 'Ask for a login or an API key; false opens every route and is for development only.',
  }),
  SVC_SESSION_TTL_HOURS: integer({ default: 720, min: 1, unit: 'hours', sentence: 'A session ends this long after login.' }),
  SVC_SESSION_INACTIVITY_HOURS: integer({
    default: 168,
    min: 1,
    unit: 'hours',
    sentence: 'A session ends after this long without a request.',
  }),
  SVC_SESSION_ROTATION_MINUTES: integer({ default: 10, min: 1, unit: 'minutes', sentence: 'A session gets a new token this often.' }),
  SVC_SESSION_COOKIE_SAMESITE: choice(['lax', 'strict', 'none'], {
    default: 'lax',
    sentence: 'SameSite attribute of the session cookie.',
  }),
  SVC_AUTH_RATELIMIT_ENABLED: boolean({ default: true, sentence: 'Lock out callers after repeated wrong credentials.' }),
  SVC_AUTH_RATELIMIT_MAX_ATTEMPTS: integer({ default: 3, min: 1, unit: 'attempts', sentence: 'Failures within the window before a lock.' }),
  SVC_AUTH_RATELIMIT_WINDOW_SECONDS: integer({ default: 120, min: 1, unit: 'seconds', sentence: 'Window in which failures are counted.' }),
  SVC_AUTH_RATELIMIT_LOCK_SECONDS: integer({ default: 300, min: 1, unit: 'seconds', sentence: 'How long a lock lasts.' }),
  SVC_TRUSTED_PROXIES: cidrList({ default: [], sentence: 'Reverse proxies whose X-Forwarded-For header is believed.' }),
  SVC_PROXY_SHARED_SECRET: secret({
    unset: 'no proxy is trusted by header',
    sentence: 'Secret by which a reverse proxy proves itself in X-Svc-Proxy-Trust and X-Svc-Proxy-Auth; set the same on both sides.',
  }),
  SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR: boolean({
    default: false,
    sentence: 'Old switch that believes the leftmost forwarded address from anyone; use SVC_TRUSTED_PROXIES instead.',
  }),
  SVC_AUDIT_READS: boolean({ default: false, sentence: 'Record one audit event for every search; expect many rows.' }),
  SVC_AUDIT_RETENTION_DAYS: integer({
    default: 90,
    min: 0,
    unit: 'days',
    sentence: 'Audit rows written by extraction are kept this long; edits by people are kept.',
  }),
};
