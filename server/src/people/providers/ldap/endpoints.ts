import { readFileSync } from 'node:fs';
import type { DirectoryServer } from '../../../platform/ldap/index.ts';
import type { LdapConfig } from '../fields.ts';

/** One directory in which people are looked up. */
export interface LdapEndpoint {
  label: string;
  domain: string | null;
  servers: DirectoryServer[];
  bindDn: string | null;
  bindPassword: string | null;
  userBase: string | null;
  groupBase: string | null;
}

/**
 * The main directory with its failover servers, then the additional directories, which use the same options, and the same values where theirs
 * are missing or empty: the console keeps a value that was deleted as an empty text.
 */
export function endpointsOf(config: LdapConfig, extra: readonly Readonly<Record<string, string>>[]): LdapEndpoint[] {
  const server = (url: string): DirectoryServer => ({
    url,
    startTls: config.start_tls,
    allowPlaintext: config.allow_plaintext,
    ca: config.ca_pem ?? (config.ca_file ? readFileSync(config.ca_file, 'utf8') : null),
    timeoutMs: config.timeout * 1000,
  });
  const own = { bindDn: config.bind_dn, bindPassword: config.bind_password, userBase: config.user_base, groupBase: config.group_base };
  const main: LdapEndpoint[] = config.server
    ? [{ label: hostOf(config.server), domain: null, servers: [config.server, ...config.failover].map(server), ...own }]
    : [];
  return [
    ...main,
    ...extra.flatMap((entry) =>
      entry['server']
        ? [
            {
              label: entry['label'] || hostOf(entry['server']),
              domain: entry['domain'] || null,
              servers: [server(entry['server'])],
              bindDn: entry['bind_dn'] || own.bindDn,
              bindPassword: entry['bind_password'] || own.bindPassword,
              userBase: entry['user_base'] || own.userBase,
              groupBase: entry['group_base'] || own.groupBase,
            },
          ]
        : [],
    ),
  ];
}

export const hostOf = (url: string): string => URL.parse(url)?.hostname ?? url;
