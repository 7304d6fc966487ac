import { randomUUID } from 'node:crypto';
import type { Client, Entry } from 'ldapts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { bytesOf, createDirectoryPool, DirectoryUnavailable, textsOf } from '../../platform/ldap/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { type DirectoryConfig, type LdapEndpoint, readDirectoryConfig } from '../providers/index.ts';
import { type AttributeNames, type DirectoryObject, toObject } from './entries.ts';
import { allValues, isRanged } from './ranges.ts';
import {
  addListedMembers,
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
      return { label: endpoint.label, full: false, read: 0, changed: 0, deleted: 0, error: text.slice(0, 500) };
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
  const result: SyncResult = { label: endpoint.label, full: true, read: 0, changed: 0, deleted: 0, error: null };
  const pool = createDirectoryPool({ ...endpoint, outbound: createOutbound(deps) });
  try {
    await pool.search(async (client) => {
      const server = await readServer(client);
      const changedOnly = options.full === true || state.needs_full ? null : changeFilter(state.watermark, server);
      const full = changedOnly === null;
      Object.assign(result, { full, read: 0, changed: 0 });
      for (const { base, filter, isGroups } of searchesOf(config, endpoint, server)) {
        const attributes = attributesOf(config.attributes, isGroups);
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
          if (isGroups) await recordListedMembers(deps, client, endpoint.label, searchEntries, full);
          options.report?.({ directory: endpoint.label, read: result.read, changed: result.changed });
          if (result.read >= config.maxObjects)
            throw new DirectoryUnavailable(
              `More than ${config.maxObjects} objects. Narrow the base DN, or raise SVC_LDAP_DIRECTORY_MAX_OBJECTS.`,
            );
        }
      }
      if (full) result.deleted = await markUnseen(db, endpoint.label, sweepId);
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
): { base: string; filter: string; isGroups: boolean }[] {
  return [
    ...(userBase ? [{ base: userBase, filter: config.userFilter, isGroups: false }] : []),
    ...(groupBase ? [{ base: groupBase, filter: config.groupFilter, isGroups: true }] : []),
    ...(foreignBase ? [{ base: foreignBase, filter: '(objectClass=foreignSecurityPrincipal)', isGroups: false }] : []),
  ];
}

function attributesOf(names: AttributeNames, isGroups: boolean): string[] {
  const plain = ['objectClass', 'entryUUID', 'uid', 'cn', 'uidNumber', 'gidNumber', 'userAccountControl', 'primaryGroupID'];
  return [...new Set([...Object.values(names), ...plain, ...(isGroups ? ['member', 'uniqueMember'] : [])])];
}

interface ServerState {
  /** Where the next sync continues: `usn:<number>:<controller>` or `time:<timestamp>`. */
  watermark: string;
  /** The domain of Active Directory, which also has placeholders for members of other domains. */
  foreignBase: string | null;
}

/** Active Directory numbers changes; OpenLDAP dates them. Read before the entries, so that changes during the sync are read again next time. */
async function readServer(client: Client): Promise<ServerState> {
  const attributes = ['highestCommittedUSN', 'dsServiceName', 'defaultNamingContext'];
  const { searchEntries } = await client.search('', { scope: 'base', filter: '(objectClass=*)', attributes });
  const [usn, controller = '', domain] = attributes.map((name) => textsOf(searchEntries[0]?.[name])[0]);
  if (usn && /^\d+$/.test(usn)) return { watermark: `usn:${usn}:${controller}`, foreignBase: domain ?? null };
  // A minute of overlap covers clocks that differ; reading an unchanged entry again costs little.
  const time = new Date(Date.now() - 60_000).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return { watermark: `time:${time}Z`, foreignBase: null };
}

/** Null where everything must be read: the first time, and when another controller answers, because each counts changes on its own. */
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

const membersPerStatement = 2000;

async function recordListedMembers({ db }: Running, client: Client, label: string, groups: readonly Entry[], full: boolean): Promise<void> {
  for (const group of groups) {
    // Members in Active Directory list their groups. But a new member changes the number of the group only, so between full sweeps the list
    // of the group counts there too.
    if (full && bytesOf(group['objectSid']).length > 0) continue;
    const members = [...(await allValues(client, group, 'member')), ...textsOf(group['uniqueMember'])].map((dn) => dn.toLowerCase());
    if (!full) await removeUnlistedMembers(db, label, group.dn.toLowerCase(), members);
    for (let at = 0; at < members.length; at += membersPerStatement)
      await addListedMembers(db, label, group.dn.toLowerCase(), members.slice(at, at + membersPerStatement));
  }
}
