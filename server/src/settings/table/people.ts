import { boolean, choice, cidrList, integer, secret, list, path, text, url, json } from '../kinds.ts';

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

const roles = ['admin', 'user', 'viewer'] as const;

/** A filter stands in balanced parentheses. */
export const ldapFilter = { words: 'an LDAP filter in balanced parentheses', accepts: isBalanced };

/** OpenID Connect. A value saved in the console wins over the environment, field by field. */
export const oidcSettings = {
  SVC_OIDC_ENABLED: boolean({ default: false, sentence: 'Offer single sign-on with an OpenID Connect provider.' }),
  SVC_OIDC_ISSUER: url({
    unset: 'set in the console',
    schemes: ['https', 'http'],
    origin: 'added',
    sentence: 'Issuer address of the provider; its discovery document is read from there.',
  }),
  SVC_OIDC_CLIENT_ID: text({ unset: 'set in the console', origin: 'added', sentence: 'Client id registered with the provider.' }),
  SVC_OIDC_CLIENT_SECRET: secret({
    unset: 'a public client with PKCE',
    origin: 'added',
    sentence: 'Client secret registered with the provider.',
  }),
  SVC_OIDC_REDIRECT_URL: url({
    unset: 'SVC_PUBLIC_BASE_URL or the address of the request, with /api/v1/auth/oidc/callback',
    schemes: ['https', 'http'],
    origin: 'added',
    sentence: 'Callback address registered with the provider.',
  }),
  SVC_OIDC_SCOPES: list({
    default: ['openid', 'profile', 'email'],
    orSpaces: true,
    origin: 'added',
    sentence: 'Scopes asked for at login.',
  }),
  SVC_OIDC_USERNAME_CLAIM: text({ default: 'preferred_username', origin: 'added', sentence: 'Claim that becomes the user name.' }),
  SVC_OIDC_GROUPS_CLAIM: text({ default: 'groups', origin: 'added', sentence: 'Claim that lists the groups of the user.' }),
  SVC_OIDC_ADMIN_GROUPS: list({ default: [], origin: 'added', sentence: 'Members of these provider groups are administrators.' }),
  SVC_OIDC_DEFAULT_ROLE: choice(roles, { default: 'viewer', origin: 'added', sentence: 'Role of everybody else who signs in this way.' }),
  SVC_OIDC_AUTO_CREATE: boolean({ default: true, origin: 'added', sentence: 'Create the account at the first sign-on.' }),
};

/** Login against an LDAP directory. A value saved in the console wins over the environment, field by field. */
export const ldapSettings = {
  SVC_LDAP_ENABLED: boolean({ default: false, sentence: 'Check passwords against an LDAP directory after the local ones.' }),
  SVC_LDAP_SERVER: url({
    unset: 'set in the console',
    schemes: ['ldaps', 'ldap'],
    origin: 'added',
    sentence: 'Address of the directory server.',
  }),
  SVC_LDAP_START_TLS: boolean({ default: false, origin: 'added', sentence: 'Start TLS on an ldap:// connection before anything is sent.' }),
  SVC_LDAP_CA_FILE: path({
    unset: 'the authorities of the system',
    origin: 'added',
    sentence: 'Certificate authority in PEM form that signed the certificate of the directory server.',
  }),
  SVC_LDAP_BIND_DN: text({
    unset: 'anonymous search',
    origin: 'default chosen',
    sentence: 'Service account that searches the directory; directory sync needs it.',
  }),
  SVC_LDAP_BIND_PASSWORD: secret({ unset: 'anonymous search', origin: 'default chosen', sentence: 'Password of SVC_LDAP_BIND_DN.' }),
  SVC_LDAP_USER_BASE: text({ unset: 'set in the console', origin: 'default chosen', sentence: 'Where users are searched.' }),
  SVC_LDAP_USER_FILTER: text({
    default: '(&(objectClass=person)(|(uid={username})(sAMAccountName={username})))',
    origin: 'added',
    check: ldapFilter,
    sentence: 'Finds the user who logs in; {username} stands for the escaped name.',
  }),
  SVC_LDAP_GROUP_BASE: text({ unset: 'groups are not read', origin: 'default chosen', sentence: 'Where groups are searched.' }),
  SVC_LDAP_GROUP_FILTER: text({
    default: '(member={dn})',
    origin: 'added',
    check: ldapFilter,
    sentence: 'Finds the groups of a user; {dn} stands for the escaped name of the user entry.',
  }),
  SVC_LDAP_ADMIN_GROUPS: list({
    default: [],
    origin: 'added',
    sentence: 'Members of these groups (by common name) are administrators.',
  }),
  SVC_LDAP_DEFAULT_ROLE: choice(roles, { default: 'viewer', origin: 'added', sentence: 'Role of everybody else who logs in this way.' }),
  SVC_LDAP_ATTR_EMAIL: text({ default: 'mail', origin: 'added', sentence: 'Attribute with the e-mail address.' }),
  SVC_LDAP_TIMEOUT_S: integer({
    default: 10,
    min: 1,
    unit: 'seconds',
    origin: 'added',
    sentence: 'How long the directory server may take to answer.',
  }),
};

function isBalanced(filter: string): boolean {
  let depth = 0;
  let groups = 0;
  for (const character of filter) {
    if (character === '(' && depth++ === 0) groups++;
    if (depth === 0) return false;
    if (character === ')') depth--;
  }
  return groups === 1 && depth === 0;
}

const directoryKeys = ['server', 'bind_dn', 'bind_password', 'user_base', 'group_base', 'domain', 'label'] as const;

/** One more directory server; a key that is left out falls back to the global setting. */
export type DirectoryEndpoint = { readonly [Key in (typeof directoryKeys)[number]]?: string };

/** Enumeration of a directory, so that permissions can be shown with names. */
export const directorySettings = {
  SVC_LDAP_DIRECTORY_SYNC_ENABLED: boolean({
    default: false,
    sentence: 'Read users and groups of the directory daily and match them with the identities on files.',
  }),
  SVC_LDAP_DIRECTORY_USER_BASE: text({ unset: 'SVC_LDAP_USER_BASE', sentence: 'Where the sync searches users.' }),
  SVC_LDAP_DIRECTORY_GROUP_BASE: text({ unset: 'SVC_LDAP_GROUP_BASE', sentence: 'Where the sync searches groups.' }),
  SVC_LDAP_DIRECTORY_USER_FILTER: text({ default: '(objectClass=user)', check: ldapFilter, sentence: 'Which entries are users.' }),
  SVC_LDAP_DIRECTORY_GROUP_FILTER: text({ default: '(objectClass=group)', check: ldapFilter, sentence: 'Which entries are groups.' }),
  SVC_LDAP_ATTR_OBJECT_SID: text({ default: 'objectSid', sentence: 'Attribute with the binary security identifier.' }),
  SVC_LDAP_ATTR_OBJECT_GUID: text({ default: 'objectGUID', sentence: 'Attribute with the binary unique identifier.' }),
  SVC_LDAP_ATTR_DISPLAY_NAME: text({ default: 'displayName', sentence: 'Attribute with the name shown to people.' }),
  SVC_LDAP_ATTR_SAM: text({ default: 'sAMAccountName', sentence: 'Attribute with the short account name.' }),
  SVC_LDAP_ATTR_UPN: text({ default: 'userPrincipalName', sentence: 'Attribute with the account name in mail form.' }),
  SVC_LDAP_ATTR_MEMBER_OF_DIR: text({ default: 'memberOf', sentence: 'Attribute with the groups of an entry.' }),
  SVC_LDAP_DIRECTORY_DOMAIN: text({
    unset: 'the first dc= of the entry',
    sentence: 'Domain shown before account names.',
  }),
  SVC_LDAP_DIRECTORY_PAGE_SIZE: integer({
    default: 500,
    min: 1,
    max: 1000,
    unit: 'entries',
    sentence: 'Entries read per page; most directories allow at most 1000.',
  }),
  SVC_LDAP_DIRECTORY_MAX_OBJECTS: integer({
    default: 500_000,
    min: 1,
    unit: 'entries',
    sentence: 'The sync stops after this many entries, in case the base is far too wide.',
  }),
  SVC_LDAP_DIRECTORIES: json({
    default: [] as readonly DirectoryEndpoint[],
    secret: true,
    bounds: `a JSON list of objects with texts under ${directoryKeys.join(', ')}`,
    check: directoryEndpoints,
    sentence: 'Further directory servers to sync; keys that are left out fall back to the settings above.',
  }),
};

function directoryEndpoints(value: unknown): readonly DirectoryEndpoint[] | undefined {
  return Array.isArray(value) && value.every(isDirectoryEndpoint) ? value : undefined;
}

function isDirectoryEndpoint(value: unknown): value is DirectoryEndpoint {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, part]) => directoryKeys.some((known) => known === key) && typeof part === 'string');
}
