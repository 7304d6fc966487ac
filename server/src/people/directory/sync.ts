import { randomUUID } from 'node:crypto';
import type { Client, Entry } from 'ldapts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { bytesOf, createDirectoryPool, DirectoryUnavailable, textsOf } from '../../platform/ldap/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { type DirectoryConfig, type LdapEndpoint, readDirectoryConfig } from '../providers/index.ts';
import { type AttributeNames, type DirectoryObject, toObject } from './entries.ts';
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
  const full = options.full === true || state.needs_full || state.watermark === null;
  const sweepId = randomUUID();
  const result: SyncResult = { label: endpoint.label, full, read: 0, changed: 0, deleted: 0, error: null };
  const pool = createDirectoryPool({ ...endpoint, outbound: createOutbound(deps) });
  try {
    await pool.search(async (client) => {
      const next = await currentWatermark(client, endpoint.userBase ?? '');
      const changedOnly = full || !state.watermark ? null : changeFilter(state.watermark);
      for (const { base, filter, isGroups } of searchesOf(config, endpoint)) {
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
          for (const each of searchEntries) await completeRanges(client, each, objects, config.attributes.memberOf);
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
      await saveSource(db, endpoint.label, next, full);
    });
    return result;
  } finally {
    await pool.close();
  }
}

function searchesOf(config: DirectoryConfig, { userBase, groupBase }: LdapEndpoint): { base: string; filter: string; isGroups: boolean }[] {
  return [
    ...(userBase ? [{ base: userBase, filter: config.userFilter, isGroups: false }] : []),
    ...(groupBase ? [{ base: groupBase, filter: config.groupFilter, isGroups: true }] : []),
  ];
}

function attributesOf(names: AttributeNames, isGroups: boolean): string[] {
  const plain = ['objectClass', 'entryUUID', 'uid', 'cn', 'uidNumber', 'gidNumber', 'userAccountControl', 'primaryGroupID'];
  return [...new Set([...Object.values(names), ...plain, ...(isGroups ? ['member', 'uniqueMember'] : [])])];
}

/** Active Directory numbers changes; OpenLDAP dates them. Taken before reading, so that changes during the sync are read again next time. */
async function currentWatermark(client: Client, base: string): Promise<string | null> {
  const { searchEntries } = await client.search('', { scope: 'base', filter: '(objectClass=*)', attributes: ['highestCommittedUSN'] });
  const usn = textsOf(searchEntries[0]?.['highestCommittedUSN'])[0];
  if (usn && /^\d+$/.test(usn)) return `usn:${usn}`;
  if (base === '') return null;
  // A minute of overlap covers clocks that differ; reading an unchanged entry again costs little.
  const time = new Date(Date.now() - 60_000).toISOString().replace(/[-:T]/g, '').slice(0, 14);
  return `time:${time}Z`;
}

function changeFilter(watermark: string): string {
  const [kind, value = ''] = watermark.split(':');
  return kind === 'usn' ? `(uSNChanged>=${Number(value) + 1})` : `(modifyTimestamp>=${value})`;
}

/** A page can contain one entry twice when the bases overlap. */
const unique = (objects: readonly DirectoryObject[]): DirectoryObject[] => [
  ...new Map(objects.map((each) => [each.object_guid, each])).values(),
];

/** Active Directory returns long lists in ranges of 1,500: memberOf;range=0-1499, then the rest on request. */
async function completeRanges(client: Client, entry: Entry, objects: readonly DirectoryObject[], name: string): Promise<void> {
  const object = objects.find(({ distinguished_name }) => distinguished_name === entry.dn);
  let key = rangeKey(entry, name);
  while (object && key) {
    object.member_of.push(...textsOf(entry[key]).map((dn) => dn.toLowerCase()));
    const end = /-(\d+)$/.exec(key)?.[1];
    if (end === undefined) return;
    const { searchEntries } = await client.search(entry.dn, { scope: 'base', attributes: [`${name};range=${Number(end) + 1}-*`] });
    const next = searchEntries[0];
    key = next ? rangeKey(next, name) : undefined;
    if (next && key) entry[key] = next[key] ?? [];
    else return;
  }
}

const rangeKey = (entry: Entry, name: string): string | undefined =>
  Object.keys(entry).find((key) => key.toLowerCase().startsWith(`${name.toLowerCase()};range=`) && textsOf(entry[key]).length > 0);

/** All members of a group, which Active Directory returns in ranges when they are many. */
async function listedMembers(client: Client, group: Entry): Promise<string[]> {
  const members = textsOf(group['member']);
  for (let entry: Entry | undefined = group, key = rangeKey(group, 'member'); entry && key; ) {
    members.push(...textsOf(entry[key]));
    const end: string | undefined = /-(\d+)$/.exec(key)?.[1];
    if (end === undefined) break;
    const found: Entry | undefined = (await client.search(group.dn, { scope: 'base', attributes: [`member;range=${Number(end) + 1}-*`] }))
      .searchEntries[0];
    entry = found;
    key = found ? rangeKey(found, 'member') : undefined;
  }
  return members;
}

const membersPerStatement = 2000;

async function recordListedMembers({ db }: Running, client: Client, label: string, groups: readonly Entry[], full: boolean): Promise<void> {
  for (const group of groups) {
    // Members in Active Directory list their groups. But a new member changes the number of the group only, so between full sweeps the list
    // of the group counts there too.
    if (full && bytesOf(group['objectSid']).length > 0) continue;
    const members = [...(await listedMembers(client, group)), ...textsOf(group['uniqueMember'])].map((dn) => dn.toLowerCase());
    if (!full) await removeUnlistedMembers(db, label, group.dn.toLowerCase(), members);
    for (let at = 0; at < members.length; at += membersPerStatement)
      await addListedMembers(db, label, group.dn.toLowerCase(), members.slice(at, at + membersPerStatement));
  }
}
