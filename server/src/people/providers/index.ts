export { type DirectoryConfig, readDirectoryConfig } from './directory-config.ts';
export type { LdapEndpoint } from './ldap/endpoints.ts';
export { namedAtSignIn } from './roles.ts';
