export { type DirectoryConfig, readDirectoryConfig } from './directory-config.ts';
export { endRemovedDirectories } from './directory-hosts.ts';
export type { LdapEndpoint } from './ldap/endpoints.ts';
export { endRemovedProviders } from './oidc/removed.ts';
export { namedAtSignIn } from './roles.ts';
export { readDirectoryLabels } from './store.ts';
