import type { Dependencies } from '../../../platform/dependencies.ts';
import {
  countCertificates,
  createDirectoryPool,
  DirectoryUnavailable,
  escapeFilter,
  isRefusal,
  refusalReason,
} from '../../../platform/ldap/index.ts';
import { createOutbound } from '../../../platform/outbound/index.ts';
import { SignInRefused } from '../../identity/index.ts';
import type { LdapConfig } from '../fields.ts';
import { endpointsOf } from './endpoints.ts';
import type { LdapService } from './service.ts';

const sampleSize = 100;

/** Binds with unsaved values, reads a sample of people and groups, and tries a sign-in if a name and password are given. */
export async function testLdap(
  deps: Pick<Dependencies, 'settings' | 'db' | 'log'>,
  service: LdapService,
  config: LdapConfig,
  sample: { username?: string | undefined; password?: string | undefined },
): Promise<Record<string, unknown>> {
  if (!config.server) return { ok: false, error: 'Enter the address of the directory.' };
  if (config.ca_pem && countCertificates(config.ca_pem) === 0)
    return { ok: false, error: 'The certificate authority is not a certificate in PEM format.' };
  try {
    const [endpoint] = endpointsOf(config, []);
    if (!endpoint) return { ok: false, error: 'Enter the address of the directory.' };
    const pool = createDirectoryPool({ ...endpoint, outbound: createOutbound(deps) });
    try {
      const count = (base: string | null, filter: string): Promise<number> =>
        base === null
          ? Promise.resolve(0)
          : pool.search(async (client) => {
              for await (const { searchEntries } of client.searchPaginated(base, {
                scope: 'sub',
                filter,
                attributes: ['1.1'],
                paged: { pageSize: sampleSize },
              }))
                return searchEntries.length;
              return 0;
            });
      const users = await count(
        config.user_base,
        config.user_filter.replaceAll(escapeFilter('{username}'), '*').replaceAll('{username}', '*'),
      );
      const groups = await count(
        config.group_base,
        '(|(objectClass=groupOfNames)(objectClass=groupOfUniqueNames)(objectClass=group)(objectClass=posixGroup))',
      );
      const detail = `The directory answers. A sample found ${plural(users, 'person', 'people')} and ${plural(groups, 'group', 'groups')}.`;
      if (!sample.username) return { ok: true, detail, users, groups };
      const found = await service.trySignIn(config, endpoint, sample.username, sample.password ?? '');
      if (typeof found === 'string')
        return {
          ok: false,
          error: `${sample.username} cannot sign in: ${found === 'unknown' ? 'the search finds no such person' : found}.`,
          users,
          groups,
        };
      return {
        ok: true,
        detail,
        users,
        groups,
        sample: { dn: found.dn, role: found.role.name, reason: found.role.reason, groups: found.groups.map(({ id }) => id) },
      };
    } finally {
      await pool.close();
    }
  } catch (error) {
    if (error instanceof SignInRefused) return { ok: false, error: 'The password is right, but no group gives this person a role.' };
    if (error instanceof DirectoryUnavailable) return { ok: false, error: error.message };
    if (isRefusal(error))
      return {
        ok: false,
        error: `The directory refuses the search: ${refusalReason(error) === 'the password is wrong' ? (error as Error).message : refusalReason(error)}`,
      };
    throw error;
  }
}

const plural = (count: number, one: string, many: string): string =>
  `${count >= sampleSize ? `at least ${sampleSize}` : count} ${count === 1 ? one : many}`;
