import { boolean, choice, cidrList, integer, json, list, path, secret, text, url } from '../kinds.ts';

/** Sign-in, sessions, rate limiting and reverse proxies. */
export const authSettings = {
  SVC_AUTH_ENABLED: boolean({
    default: true,
    description: 'Requires a sign-in or an API key. false opens every route and is for development only.',
  }),
  SVC_SESSION_TTL_HOURS: integer({ default: 720, min: 1, unit: 'hours', description: 'How long a session lasts after sign-in.' }),
  SVC_SESSION_INACTIVITY_HOURS: integer({
    default: 168,
    min: 1,
    unit: 'hours',
    description: 'How long a session lasts without requests.',
  }),
  SVC_SESSION_ROTATION_MINUTES: integer({
    default: 10,
    min: 1,
    unit: 'minutes',
    description: 'How often the token of a session is replaced.',
  }),
  SVC_SESSION_COOKIE_SAMESITE: choice(['lax', 'strict', 'none'], {
    default: 'lax',
    description: 'SameSite attribute of the session cookie.',
  }),
  SVC_AUTH_RATELIMIT_ENABLED: boolean({ default: true, description: 'Locks out callers after repeated failed sign-ins.' }),
  SVC_AUTH_RATELIMIT_MAX_ATTEMPTS: integer({
    default: 3,
    min: 1,
    unit: 'attempts',
    description: 'Number of failures within the time window that locks a caller out.',
  }),
  SVC_AUTH_RATELIMIT_WINDOW_SECONDS: integer({
    default: 120,
    min: 1,
    unit: 'seconds',
    description: 'Time window in which failures are counted.',
  }),
  SVC_AUTH_RATELIMIT_LOCK_SECONDS: integer({ default: 300, min: 1, unit: 'seconds', description: 'How long a lockout lasts.' }),
  SVC_TRUSTED_PROXIES: cidrList({ default: [], description: 'Reverse proxies whose X-Forwarded-For header is trusted.' }),
  SVC_PROXY_SHARED_SECRET: secret({
    unset: 'no proxy is trusted by header',
    description:
      'Secret that a reverse proxy sends in X-Svc-Proxy-Trust and X-Svc-Proxy-Auth to identify itself. Set the same value in the proxy.',
  }),
  SVC_AUTH_RATELIMIT_TRUST_FORWARDED_FOR: boolean({
    default: false,
    description: 'Deprecated: trusts the leftmost X-Forwarded-For address from any caller. Use SVC_TRUSTED_PROXIES instead.',
  }),
  SVC_AUDIT_READS: boolean({ default: false, description: 'Records an audit event for every search. This creates many rows.' }),
  SVC_AUDIT_RETENTION_DAYS: integer({
    default: 90,
    min: 0,
    unit: 'days',
    description: 'How long audit rows written by extraction are kept. Edits by people are always kept.',
  }),
};

const ldapFilter = { words: 'an LDAP filter in balanced parentheses', accepts: isBalanced };

const oidcProviderKeys = ['name', 'label', 'issuer', 'client_id', 'client_secret'] as const;

/** An additional OpenID provider. */
export type OidcProviderEntry = { readonly [Key in (typeof oidcProviderKeys)[number]]?: string };

/** Sign-in behind a proxy that authenticates people itself. */
export const headerSignInSettings = {
  SVC_HEADER_SIGN_IN_ENABLED: boolean({
    default: false,
    origin: 'added',
    description:
      'Lets people in whom a trusted proxy names in a header. Only requests from SVC_TRUSTED_PROXIES or with SVC_PROXY_SHARED_SECRET count. The proxy must remove these headers from what clients send.',
  }),
  SVC_HEADER_SIGN_IN_USER: text({ default: 'x-remote-user', origin: 'added', description: 'Header with the username.' }),
  SVC_HEADER_SIGN_IN_EMAIL: text({ default: 'x-remote-email', origin: 'added', description: 'Header with the email address.' }),
  SVC_HEADER_SIGN_IN_GROUPS: text({
    default: 'x-remote-groups',
    origin: 'added',
    description: 'Header with the groups, separated by commas.',
  }),
  SVC_HEADER_SIGN_IN_ROLE_MAP: text({
    unset: 'nobody gets a role by a group',
    origin: 'added',
    description: 'Roles by group, such as "editors:user,archive:viewer". The role with the most rights wins.',
  }),
  SVC_HEADER_SIGN_IN_DEFAULT_ROLE: text({
    default: 'viewer',
    origin: 'added',
    description: 'Role of people without a group in the role map. "none" refuses them.',
  }),
  SVC_HEADER_SIGN_IN_AUTO_CREATE: boolean({ default: true, origin: 'added', description: 'Creates an account at the first sign-in.' }),
};

/** OpenID Connect. Each value saved in the console overrides the environment. */
export const oidcSettings = {
  SVC_OIDC_ENABLED: boolean({ default: false, description: 'Offers single sign-on with an OpenID Connect provider.' }),
  SVC_OIDC_ISSUER: url({
    unset: 'set in the console',
    schemes: ['https', 'http'],
    origin: 'added',
    description: 'Issuer URL of the provider. Its discovery document is read from there.',
  }),
  SVC_OIDC_CLIENT_ID: text({ unset: 'set in the console', origin: 'added', description: 'Client ID registered with the provider.' }),
  SVC_OIDC_CLIENT_SECRET: secret({
    unset: 'a public client with PKCE',
    origin: 'added',
    description: 'Client secret registered with the provider.',
  }),
  SVC_OIDC_REDIRECT_URL: url({
    unset: 'SVC_PUBLIC_BASE_URL or the address of the request, with /api/v1/auth/oidc/callback',
    schemes: ['https', 'http'],
    origin: 'added',
    description: 'Callback URL registered with the provider.',
  }),
  SVC_OIDC_SCOPES: list({
    default: ['openid', 'profile', 'email'],
    orSpaces: true,
    origin: 'added',
    description: 'Scopes requested at sign-in.',
  }),
  SVC_OIDC_USERNAME_CLAIM: text({ default: 'preferred_username', origin: 'added', description: 'Claim that contains the username.' }),
  SVC_OIDC_GROUPS_CLAIM: text({ default: 'groups', origin: 'added', description: 'Claim that contains the groups of the user.' }),
  SVC_OIDC_ADMIN_GROUPS: list({ default: [], origin: 'added', description: 'Provider groups whose members are administrators.' }),
  SVC_OIDC_ROLE_CLAIM: text({
    unset: 'SVC_OIDC_GROUPS_CLAIM',
    origin: 'added',
    description: 'Claim whose values SVC_OIDC_ROLE_MAP maps to roles. A path such as realm_access.roles is possible.',
  }),
  SVC_OIDC_ROLE_MAP: text({
    unset: 'nobody gets a role by a claim',
    origin: 'added',
    description: 'Roles by claim value, such as "editors:user,archive:viewer". The role with the most rights wins.',
  }),
  SVC_OIDC_DEFAULT_ROLE: text({
    default: 'viewer',
    origin: 'added',
    description: 'Role of all other users of single sign-on. "none" refuses them.',
  }),
  SVC_OIDC_AUTO_CREATE: boolean({ default: true, origin: 'added', description: 'Creates an account at the first sign-in.' }),
  SVC_OIDC_LINK_BY_EMAIL: boolean({
    default: false,
    origin: 'added',
    description: 'Links the first sign-in to the local account with the same email address, if the provider says that it is verified.',
  }),
  SVC_OIDC_LABEL: text({ default: 'single sign-on', origin: 'added', description: 'Name of the provider on the sign-in page.' }),
  SVC_OIDC_PROVIDERS: json({
    default: [] as readonly OidcProviderEntry[],
    secret: true,
    origin: 'added',
    bounds: `a JSON list of objects with string values for ${oidcProviderKeys.join(', ')}; name, issuer and client_id are required`,
    check: oidcProviders,
    description: 'Additional OpenID Connect providers. Everything else uses the settings above.',
  }),
};

function oidcProviders(value: unknown): readonly OidcProviderEntry[] | undefined {
  return Array.isArray(value) && value.every(isOidcProvider) ? value : undefined;
}

function isOidcProvider(value: unknown): value is OidcProviderEntry {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entry = value as Record<string, unknown>;
  return (
    Object.entries(entry).every(([key, part]) => oidcProviderKeys.some((known) => known === key) && typeof part === 'string') &&
    ['name', 'issuer', 'client_id'].every((key) => key in entry)
  );
}

/** Sign-in with an LDAP directory. Each value saved in the console overrides the environment. */
export const ldapSettings = {
  SVC_LDAP_ENABLED: boolean({ default: false, description: 'Checks passwords against an LDAP directory if no local account matches.' }),
  SVC_LDAP_SERVER: url({
    unset: 'set in the console',
    schemes: ['ldaps', 'ldap'],
    origin: 'added',
    description: 'Address of the directory server.',
  }),
  SVC_LDAP_START_TLS: boolean({
    default: false,
    origin: 'added',
    description: 'Starts TLS on an ldap:// connection before anything else is sent.',
  }),
  SVC_LDAP_FAILOVER: list({
    default: [],
    origin: 'added',
    description: 'Further servers of the same directory, tried in this order when the first one does not answer.',
  }),
  SVC_LDAP_ALLOW_PLAINTEXT: boolean({
    default: false,
    origin: 'added',
    description: 'Allows passwords to be sent unencrypted to an ldap:// server on another machine. Anyone on the network can read them.',
  }),
  SVC_LDAP_CA_PEM: text({
    unset: 'SVC_LDAP_CA_FILE',
    origin: 'added',
    description: 'The same certificate authority as text instead of a file.',
  }),
  SVC_LDAP_CA_FILE: path({
    unset: 'the certificate authorities of the system',
    origin: 'added',
    description: 'Certificate authority, in PEM format, that signed the certificate of the directory server.',
  }),
  SVC_LDAP_BIND_DN: text({
    unset: 'anonymous search',
    origin: 'default chosen',
    description: 'Service account that searches the directory. Directory sync requires it.',
  }),
  SVC_LDAP_BIND_PASSWORD: secret({ unset: 'anonymous search', origin: 'default chosen', description: 'Password of SVC_LDAP_BIND_DN.' }),
  SVC_LDAP_USER_BASE: text({ unset: 'set in the console', origin: 'default chosen', description: 'Base DN for user searches.' }),
  SVC_LDAP_USER_FILTER: text({
    default: '(&(objectClass=person)(|(uid={username})(sAMAccountName={username})))',
    origin: 'added',
    check: ldapFilter,
    description: 'Filter that finds the user who signs in. {username} is replaced by the escaped name.',
  }),
  SVC_LDAP_USER_DN_TEMPLATE: text({
    unset: 'the user is found by SVC_LDAP_USER_FILTER',
    origin: 'added',
    description: 'DN of a user, such as "uid={username},ou=people,dc=example,dc=org", if all users are at one place.',
  }),
  SVC_LDAP_GROUP_BASE: text({ unset: 'groups are not read', origin: 'default chosen', description: 'Base DN for group searches.' }),
  SVC_LDAP_GROUP_FILTER: text({
    default: '(member={dn})',
    origin: 'added',
    check: ldapFilter,
    description: 'Filter that finds the groups of a user. {dn} is replaced by the escaped DN of the user.',
  }),
  SVC_LDAP_ADMIN_GROUPS: list({
    default: [],
    origin: 'added',
    description: 'Groups (by common name) whose members are administrators.',
  }),
  SVC_LDAP_NESTED_GROUPS: boolean({
    default: true,
    origin: 'added',
    description: 'Counts members of a group as members of the groups it belongs to.',
  }),
  SVC_LDAP_ROLE_MAP: text({
    unset: 'nobody gets a role by a group',
    origin: 'added',
    description: 'Roles by group, such as "cn=staff,ou=groups,dc=example,dc=org=>user;cn=guests,ou=groups,dc=example,dc=org=>viewer".',
  }),
  SVC_LDAP_DEFAULT_ROLE: text({
    default: 'viewer',
    origin: 'added',
    description: 'Role of all other users of LDAP sign-in. "none" refuses them.',
  }),
  SVC_LDAP_AUTO_CREATE: boolean({ default: true, origin: 'added', description: 'Creates an account at the first sign-in.' }),
  SVC_LDAP_ATTR_EMAIL: text({ default: 'mail', origin: 'added', description: 'Attribute with the email address.' }),
  SVC_LDAP_TIMEOUT_S: integer({
    default: 10,
    min: 1,
    unit: 'seconds',
    origin: 'added',
    description: 'Timeout for requests to the directory server.',
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

/** An additional directory server; missing keys use the global settings. */
export type DirectoryEndpoint = { readonly [Key in (typeof directoryKeys)[number]]?: string };

/** Reads the users and groups of a directory, so that file permissions can be shown with names. */
export const directorySettings = {
  SVC_LDAP_DIRECTORY_SYNC_ENABLED: boolean({
    default: false,
    description: 'Reads the users and groups of the directory daily and matches them with the owners and permissions of files.',
  }),
  SVC_LDAP_DIRECTORY_USER_BASE: text({ unset: 'SVC_LDAP_USER_BASE', description: 'Base DN for users in the sync.' }),
  SVC_LDAP_DIRECTORY_GROUP_BASE: text({ unset: 'SVC_LDAP_GROUP_BASE', description: 'Base DN for groups in the sync.' }),
  SVC_LDAP_DIRECTORY_USER_FILTER: text({ default: '(objectClass=user)', check: ldapFilter, description: 'Filter for users in the sync.' }),
  SVC_LDAP_DIRECTORY_GROUP_FILTER: text({
    default: '(objectClass=group)',
    check: ldapFilter,
    description: 'Filter for groups in the sync.',
  }),
  SVC_LDAP_ATTR_OBJECT_SID: text({ default: 'objectSid', description: 'Attribute with the binary security identifier.' }),
  SVC_LDAP_ATTR_OBJECT_GUID: text({ default: 'objectGUID', description: 'Attribute with the binary unique identifier.' }),
  SVC_LDAP_ATTR_DISPLAY_NAME: text({ default: 'displayName', description: 'Attribute with the display name.' }),
  SVC_LDAP_ATTR_SAM: text({ default: 'sAMAccountName', description: 'Attribute with the short account name.' }),
  SVC_LDAP_ATTR_UPN: text({ default: 'userPrincipalName', description: 'Attribute with the account name in email form.' }),
  SVC_LDAP_ATTR_MEMBER_OF_DIR: text({ default: 'memberOf', description: 'Attribute with the groups of an entry.' }),
  SVC_LDAP_DIRECTORY_DOMAIN: text({
    unset: 'the first dc= part of the entry',
    description: 'Domain shown before account names.',
  }),
  SVC_LDAP_DIRECTORY_PAGE_SIZE: integer({
    default: 500,
    min: 1,
    max: 1000,
    unit: 'entries',
    description: 'Number of entries read per request. Most directories allow at most 1000.',
  }),
  SVC_LDAP_DIRECTORY_MAX_OBJECTS: integer({
    default: 500_000,
    min: 1,
    unit: 'entries',
    description: 'Maximum number of entries read by the sync, as protection against a base DN that is too broad.',
  }),
  SVC_LDAP_DIRECTORIES: json({
    default: [] as readonly DirectoryEndpoint[],
    secret: true,
    bounds: `a JSON list of objects with string values for ${directoryKeys.join(', ')}`,
    check: directoryEndpoints,
    description: 'Additional directory servers to sync. Missing keys use the settings above.',
  }),
};

function directoryEndpoints(value: unknown): readonly DirectoryEndpoint[] | undefined {
  return Array.isArray(value) && value.every(isDirectoryEndpoint) ? value : undefined;
}

function isDirectoryEndpoint(value: unknown): value is DirectoryEndpoint {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, part]) => directoryKeys.some((known) => known === key) && typeof part === 'string');
}
