export { type DirectoryConfig, readDirectoryConfig } from './directory-config.ts';
export type { LdapEndpoint } from './ldap/endpoints.ts';
