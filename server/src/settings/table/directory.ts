import { boolean, integer, json, text } from '../kinds/index.ts';
import { ldapFilter } from './single-sign-on.ts';

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
