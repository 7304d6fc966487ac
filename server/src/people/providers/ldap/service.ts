import { hash } from 'node:crypto';
import type { Client, Entry } from 'ldapts';
import type { Dependencies } from '../../../platform/dependencies.ts';
import {
  bytesOf,
  comparableDn,
  createDirectoryPool,
  type DirectoryPool,
  DirectoryUnavailable,
  decodeGuid,
  escapeDn,
  escapeFilter,
  isRefusal,
  refusalReason,
  textsOf,
} from '../../../platform/ldap/index.ts';
import { createOutbound } from '../../../platform/outbound/index.ts';
import { type DirectoryAnswer, type ProviderPerson, SignInRefused, signInWithProvider } from '../../identity/index.ts';
import { readConfig } from '../config.ts';
import type { LdapConfig } from '../fields.ts';
import { decideRole, rolesByRights } from '../roles.ts';
import { endpointsOf, hostOf, type LdapEndpoint } from './endpoints.ts';
import { type GroupMemory, groupsOf, namedGroups } from './groups.ts';

const attributesOf = ({ attr_email }: LdapConfig): string[] => [
  ...[attr_email, 'displayName', 'cn', 'memberOf', 'entryUUID', 'objectGUID', 'objectSid', 'primaryGroupID'],
];
const binary = ['objectGUID', 'objectSid'];

/** Checks names and passwords against directories. One instance per process: it keeps the connections. */
export function createLdapService(deps: Pick<Dependencies, 'db' | 'settings' | 'log'>) {
  const { db, settings, log } = deps;
  const outbound = createOutbound({ settings });
  const pools = new Map<string, DirectoryPool>();
  const memories = new WeakMap<DirectoryPool, GroupMemory>();

  function poolOf(endpoint: LdapEndpoint): DirectoryPool {
    const key = hash('sha256', JSON.stringify([endpoint.servers, endpoint.bindDn, endpoint.bindPassword]));
    let pool = pools.get(key);
    if (!pool) {
      pool = createDirectoryPool({ ...endpoint, outbound });
      pools.set(key, pool);
      memories.set(pool, new Map());
      // Pools of an earlier configuration are closed.
      for (const [old, each] of [...pools].slice(0, -20)) {
        pools.delete(old);
        void each.close();
      }
    }
    return pool;
  }

  async function configured(): Promise<{ config: LdapConfig; endpoints: LdapEndpoint[] } | null> {
    const [ldap, directory] = await Promise.all([readConfig(deps, 'ldap'), readConfig(deps, 'directory')]);
    const config = ldap.values as unknown as LdapConfig;
    if (!config.enabled || !settings.authEnabled) return null;
    const { directories } = directory.values as { directories: readonly Record<string, string>[] };
    return { config, endpoints: endpointsOf(config, directories) };
  }

  async function verify(username: string, password: string): Promise<DirectoryAnswer> {
    const ready = await configured();
    // An empty password would be an anonymous bind, which servers accept.
    if (!ready || password === '' || username === '') return { kind: 'refused', reason: 'not configured' };
    const outages: string[] = [];
    let refused: string | null = null;
    for (const endpoint of endpointsFor(ready.endpoints, username)) {
      try {
        const person = await authenticate(ready.config, endpoint, username, password);
        if (typeof person !== 'string') return { kind: 'accepted', signIn: (actor) => open(person, ready.config, actor) };
        refused ??= person;
      } catch (error) {
        // A refused search, such as below a base DN that does not exist, says nothing about the person.
        if (!(error instanceof DirectoryUnavailable || (isRefusal(error) && error instanceof Error))) throw error;
        const text = `${endpoint.label}: ${error.message}`;
        outages.push(text);
        log.warning(`A directory did not answer a sign-in: ${text}`);
      }
    }
    // A directory that is away may be the one that knows this person.
    if (outages.length > 0 && (refused === null || refused === 'unknown')) return { kind: 'unavailable', reason: outages.join(' ') };
    return { kind: 'refused', reason: refused ?? 'unknown' };
  }

  /** The person, or why the directory refuses them. */
  async function authenticate(
    config: LdapConfig,
    endpoint: LdapEndpoint,
    username: string,
    password: string,
  ): Promise<(ProviderPerson & { dn: string }) | string> {
    const pool = poolOf(endpoint);
    const plain = username.replace(/^[^\\]*\\/, '').replace(/@[^@]*$/, '');
    const found = config.user_dn_template
      ? null
      : ((await findUser(pool, config, endpoint, username)) ?? (plain === username ? null : await findUser(pool, config, endpoint, plain)));
    const dn = config.user_dn_template ? config.user_dn_template.replaceAll('{username}', () => escapeDn(plain)) : found?.dn;
    if (!dn) return 'unknown';
    // Read while the server verifies the password; without the right one the result is not used.
    const described = describe(pool, config, endpoint, found ?? dn, plain);
    described.catch(() => {});
    try {
      await pool.verify(dn, password);
    } catch (error) {
      if (isRefusal(error)) return refusalReason(error);
      throw error;
    }
    return { ...(await described), dn };
  }

  /** Exactly one entry, or null. */
  async function findUser(pool: DirectoryPool, config: LdapConfig, { userBase }: LdapEndpoint, username: string): Promise<Entry | null> {
    if (!userBase) throw new DirectoryUnavailable('The base DN for users is not set.');
    const filter = config.user_filter.replaceAll('{username}', () => escapeFilter(username));
    const { searchEntries } = await pool.search((client) =>
      client.search(userBase, { scope: 'sub', filter, attributes: attributesOf(config), explicitBufferAttributes: binary, sizeLimit: 2 }),
    );
    return searchEntries.length === 1 ? (searchEntries[0] ?? null) : null;
  }

  /** Role, groups and names of a person, given as the entry or its DN. */
  async function describe(
    pool: DirectoryPool,
    config: LdapConfig,
    endpoint: LdapEndpoint,
    given: Entry | string,
    username: string,
  ): Promise<ProviderPerson> {
    const memory = memories.get(pool) ?? new Map();
    const [{ entry, groups }, roles] = await Promise.all([
      pool.search((client) => readPerson(client, config, endpoint, given, memory)),
      rolesByRights(db),
    ]);
    const values = groups.flatMap(({ id, name }) => [id, ...(name ? [name] : [])]);
    const role = decideRole(roles, values, config, 'group', comparableDn);
    if (!role) throw new SignInRefused('no_role');
    const [email] = textsOf(entry[config.attr_email]);
    const [name] = textsOf(entry['displayName']).concat(textsOf(entry['cn']));
    return {
      provider: 'ldap',
      issuer: hostOf(endpoint.servers[0]?.url ?? ''),
      subject: identifierOf(entry),
      username,
      email: email ?? null,
      verifiedEmail: null,
      displayName: name?.slice(0, 120) ?? null,
      role,
      groups,
    };
  }

  async function open(person: ProviderPerson, config: LdapConfig, actor: Parameters<typeof signInWithProvider>[3]) {
    return signInWithProvider(db, person, { autoProvision: config.auto_provision, linkByEmail: false }, actor);
  }

  return {
    /** What a sign-in would do, without opening a session. */
    trySignIn: (config: LdapConfig, endpoint: LdapEndpoint, username: string, password: string) =>
      password === '' ? Promise.resolve('the password is empty') : authenticate(config, endpoint, username, password),
    isOffered: async () => (await configured()) !== null,
    verify,
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.close()));
      pools.clear();
    },
  };
}

async function readPerson(client: Client, config: LdapConfig, endpoint: LdapEndpoint, given: Entry | string, memory: GroupMemory) {
  const options = { scope: 'base' as const, attributes: attributesOf(config), explicitBufferAttributes: binary };
  const entry = typeof given === 'string' ? (await client.search(given, options)).searchEntries[0] : given;
  if (!entry) throw new DirectoryUnavailable('The service account cannot read the entry of the person who signs in.');
  const dns = await groupsOf(client, entry, {
    groupBase: endpoint.groupBase,
    groupFilter: config.group_filter,
    nested: config.nested_groups,
    memory,
  });
  return { entry, groups: namedGroups(dns) };
}

export type LdapService = ReturnType<typeof createLdapService>;

/** The identifier that survives renames: objectGUID in canonical form, entryUUID, or else the DN. */
function identifierOf(entry: Entry): string {
  return decodeGuid(bytesOf(entry['objectGUID'])) ?? textsOf(entry['entryUUID'])[0] ?? comparableDn(entry.dn);
}

/** With DOMAIN\\name or name@domain, only the directory of that domain, if there is one; else all. */
function endpointsFor(endpoints: readonly LdapEndpoint[], username: string): readonly LdapEndpoint[] {
  const domain = (/^([^\\]+)\\/.exec(username)?.[1] ?? /@([^@]+)$/.exec(username)?.[1])?.toLowerCase();
  const matching = domain ? endpoints.filter((each) => each.domain?.toLowerCase() === domain) : [];
  return matching.length > 0 ? matching : endpoints;
}
