import { hash, randomUUID } from 'node:crypto';
import type { Client, Entry } from 'ldapts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { createDirectoryPool, DirectoryUnavailable, textsOf } from '../../platform/ldap/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { type DirectoryConfig, type LdapEndpoint, readDirectoryConfig } from '../providers/index.ts';
import { type AttributeNames, type DirectoryObject, toObject } from './entries.ts';
import { allValues, isRanged } from './ranges.ts';
import {
  addListedMembers,
  countUnreadGroups,
  hasObjects,
  markUnseen,
  readSource,
  removeUnlistedMembers,
  saveSource,
  saveSourceError,
  startSource,
  upsertObjects,
} from './store.ts';

export interface SyncResult {
  label: string;
  full: boolean;
  read: number;
  changed: number;
  deleted: number;
  /** Groups of people that a full sweep did not find. */
  unread_groups: number;
  error: string | null;
}

type Running = Pick<Dependencies, 'db' | 'settings' | 'log'>;
interface Progress {
  signal?: AbortSignal;
  report?(value: Record<string, unknown>): void;
}

/**
 * Reads every directory. A directory that fails is reported and skipped, and only one that was read completely loses what it no longer has.
 * Between full sweeps, which happen weekly, only entries that have changed are read.
 */
export async function syncDirectories(deps: Running, options: { full?: boolean } & Progress = {}): Promise<SyncResult[]> {
  const config = await readDirectoryConfig(deps);
  const results: SyncResult[] = [];
  for (const endpoint of config.endpoints) {
    const result = await syncEndpoint(deps, config, endpoint, options).catch(async (error: unknown): Promise<SyncResult> => {
      if (options.signal?.aborted) throw error;
      const text = error instanceof Error ? error.message : String(error);
      deps.log.warning(`The directory ${endpoint.label} could not be read: ${text}`);
      await saveSourceError(deps.db, endpoint.label, text);
      return { label: endpoint.label, full: false, read: 0, changed: 0, deleted: 0, unread_groups: 0, error: text.slice(0, 500) };
    });
    results.push(result);
  }
  return results;
}

async function syncEndpoint(
  deps: Running,
  config: DirectoryConfig,
  endpoint: LdapEndpoint,
  options: { full?: boolean } & Progress,
): Promise<SyncResult> {
  if (!endpoint.bindDn) throw new DirectoryUnavailable('The sync needs a service account.');
  const { db } = deps;
  await startSource(db, endpoint.label);
  const state = await readSource(db, endpoint.label);
  const sweepId = randomUUID();
  const result: SyncResult = { label: endpoint.label, full: true, read: 0, changed: 0, deleted: 0, unread_groups: 0, error: null };
  const pool = createDirectoryPool({ ...endpoint, outbound: createOutbound(deps) });
  try {
    await pool.search(async (client) => {
      const server = await readServer(client, hash('sha256', JSON.stringify(whatIsRead(config, endpoint))).slice(0, 16));
      const changedOnly = options.full === true || state.needs_full ? null : changeFilter(state.watermark, server);
      const full = changedOnly === null;
      Object.assign(result, { full, read: 0, changed: 0 });
      const attributes = attributesOf(config.attributes);
      for (const { base, filter, kind } of searchesOf(config, endpoint, server)) {
        let found = 0;
        const pages = client.searchPaginated(base, {
          scope: 'sub',
          filter: changedOnly ? `(&${filter}${changedOnly})` : filter,
          attributes,
          explicitBufferAttributes: [config.attributes.guid, config.attributes.sid],
          paged: { pageSize: config.pageSize },
        });
        for await (const { searchEntries } of pages) {
          options.signal?.throwIfAborted();
          const objects = searchEntries.flatMap((entry) => toObject(entry, config.attributes, endpoint.domain ?? config.domain) ?? []);
          for (const each of searchEntries.filter((entry) => isRanged(entry, config.attributes.memberOf)))
            await addRangedGroups(client, each, objects, config.attributes.memberOf);
          result.changed += await upsertObjects(db, endpoint.label, sweepId, full, unique(objects));
          result.read += objects.length;
          found += objects.length;
          options.report?.({ directory: endpoint.label, read: result.read, changed: result.changed });
          if (result.read >= config.maxObjects)
            throw new DirectoryUnavailable(
              `More than ${config.maxObjects} objects. Narrow the base DN, or raise SVC_LDAP_DIRECTORY_MAX_OBJECTS.`,
            );
        }
        // Servers answer a search that the service account may not make, or no longer reaches anything, with no entries and no error.
        if (full && found === 0 && kind && (await hasObjects(db, endpoint.label, kind)))
          throw new DirectoryUnavailable(
            `The search for ${kind}s below ${base} found nothing, so what is known was kept. Check the base DN, the filter and the rights of the service account.`,
          );
      }
      if (!(full && server.foreignBase)) await readListedMembers(deps, client, config, endpoint, { changedOnly, signal: options.signal });
      if (full) {
        result.deleted = await markUnseen(db, endpoint.label, sweepId);
        result.unread_groups = await countUnreadGroups(db, endpoint.label);
        if (result.unread_groups > 0)
          deps.log.warning(
            `People of ${endpoint.label} belong to ${result.unread_groups} groups that were not read. Choose a base DN and a filter for groups that include them.`,
          );
      }
      await saveSource(db, endpoint.label, server.watermark, full);
    });
    return result;
  } finally {
    await pool.close();
  }
}

function searchesOf(
  config: DirectoryConfig,
  { userBase, groupBase }: LdapEndpoint,
  { foreignBase }: ServerState,
): { base: string; filter: string; kind?: 'user' | 'group' }[] {
  return [
    ...(userBase ? [{ base: userBase, filter: config.userFilter, kind: 'user' as const }] : []),
    ...(groupBase ? [{ base: groupBase, filter: config.groupFilter, kind: 'group' as const }] : []),
    ...(foreignBase ? [{ base: foreignBase, filter: '(objectClass=foreignSecurityPrincipal)' }] : []),
  ];
}

function attributesOf(names: AttributeNames): string[] {
  const plain = ['objectClass', 'entryUUID', 'uid', 'cn', 'uidNumber', 'gidNumber', 'userAccountControl', 'primaryGroupID'];
  return [...new Set([...Object.values(names), ...plain])];
}

/** What decides which entries are stored, and how. After a change of it everything must be read again. */
const whatIsRead = ({ userFilter, groupFilter, attributes, domain }: DirectoryConfig, endpoint: LdapEndpoint): unknown => [
  ...[userFilter, groupFilter, attributes, endpoint.domain ?? domain, endpoint.userBase, endpoint.groupBase],
];

interface ServerState {
  /** Where the next sync continues, and what was read: `usn:<number>:<controller>#<digest>` or `time:<timestamp>:#<digest>`. */
  watermark: string;
  /** The domain of Active Directory, which also has placeholders for members of other domains. */
  foreignBase: string | null;
}

/** Active Directory numbers changes; OpenLDAP dates them. Read before the entries, so that changes during the sync are read again next time. */
async function readServer(client: Client, digest: string): Promise<ServerState> {
  const attributes = ['highestCommittedUSN', 'dsServiceName', 'defaultNamingContext'];
  const { searchEntries } = await client.search('', { scope: 'base', filter: '(objectClass=*)', attributes });
  const [usn, controller = '', domain] = attributes.map((name) => textsOf(searchEntries[0]?.[name])[0]);
  if (usn && /^\d+$/.test(usn)) return { watermark: `usn:${usn}:${controller}#${digest}`, foreignBase: domain ?? null };
  // A minute of overlap covers clocks that differ; reading an unchanged entry again costs little.
  const time = new Date(Date.now() - 60_000).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return { watermark: `time:${time}Z:#${digest}`, foreignBase: null };
}

/**
 * Null where everything must be read: the first time, after a change of what is read, and when another controller answers, because each counts
 * changes on its own.
 */
function changeFilter(watermark: string | null, server: ServerState): string | null {
  const parse = (text: string): RegExpExecArray | null => /^(usn|time):([^:]+):?(.*)$/.exec(text);
  const [known, current] = [parse(watermark ?? ''), parse(server.watermark)];
  if (!known || !current || known[1] !== current[1] || known[3] !== current[3]) return null;
  return known[1] === 'usn' ? `(uSNChanged>=${Number(known[2]) + 1})` : `(modifyTimestamp>=${known[2]})`;
}

/** A page can contain one entry twice when the bases overlap. */
const unique = (objects: readonly DirectoryObject[]): DirectoryObject[] => [
  ...new Map(objects.map((each) => [each.object_guid, each])).values(),
];

async function addRangedGroups(client: Client, entry: Entry, objects: readonly DirectoryObject[], name: string): Promise<void> {
  const groups = (await allValues(client, entry, name)).map((dn) => dn.toLowerCase());
  objects.find(({ distinguished_name }) => distinguished_name === entry.dn)?.member_of.push(...groups);
}

/**
 * Reads the member lists of groups. In Active Directory, adding a member updates the uSNChanged of the group but not of the member, so an
 * incremental sync finds new memberships only here. It runs after all groups are stored, because a group can be a member of another.
 */
async function readListedMembers(
  deps: Running,
  client: Client,
  { groupFilter, pageSize }: DirectoryConfig,
  { groupBase, label }: LdapEndpoint,
  { changedOnly, signal }: { changedOnly: string | null; signal: AbortSignal | undefined },
): Promise<void> {
  if (!groupBase) return;
  const filter = changedOnly ? `(&${groupFilter}${changedOnly})` : groupFilter;
  const search = { scope: 'sub' as const, filter, attributes: ['member', 'uniqueMember'], paged: { pageSize } };
  for await (const { searchEntries } of client.searchPaginated(groupBase, search)) {
    signal?.throwIfAborted();
    await recordListedMembers(deps, client, label, searchEntries, changedOnly === null);
  }
}

const membersPerStatement = 5000;

async function recordListedMembers({ db }: Running, client: Client, label: string, groups: readonly Entry[], full: boolean): Promise<void> {
  let listed: { member: string; group: string }[] = [];
  for (const { dn, ...entry } of groups) {
    const group = dn.toLowerCase();
    const members = [...(await allValues(client, { dn, ...entry }, 'member')), ...textsOf(entry['uniqueMember'])].map((each) =>
      each.toLowerCase(),
    );
    if (!full) await removeUnlistedMembers(db, label, group, members);
    listed.push(...members.map((member) => ({ member, group })));
    for (; listed.length >= membersPerStatement; listed = listed.slice(membersPerStatement))
      await addListedMembers(db, label, listed.slice(0, membersPerStatement));
  }
  if (listed.length > 0) await addListedMembers(db, label, listed);
}
