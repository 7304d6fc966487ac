import { boolean, choice, integer, list, path, secret, text, url } from '../kinds/index.ts';

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
