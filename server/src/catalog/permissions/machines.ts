import type { FileAcl } from '@catalog/scanner';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';

/*
 * Accounts of other machines. In stored lists a number that a machine gives to one of its own accounts is combined with the number of the
 * machine; all other numbers are taken for those of a directory, which mean the same everywhere.
 */

/** As an agent reports them: [number, name, main group, full name] and [number, name, names of members]. */
export interface MachineAccounts {
  users: readonly (readonly [number, string, number, string])[];
  groups: readonly (readonly [number, string, readonly string[]])[];
}

const perMachine = 2 ** 32;
/** Beyond every number that a machine can give. */
const firstMachine = 256;

const combine = (machine: number, id: number): number => (firstMachine + machine) * perMachine + id;
const machineOf = (number: number): number => Math.floor(number / perMachine) - firstMachine;
const isCombined = (number: number): boolean => number >= firstMachine * perMachine;

interface Machine {
  machine: number;
  name: string;
  users: Map<number, { name: string; gid: number; fullName: string }>;
  groups: Map<number, { name: string; members: readonly string[] }>;
}

/** Stores the accounts of a machine. */
export async function storeAccounts(db: Db, agentId: string, accounts: MachineAccounts): Promise<void> {
  await sql`
    insert into machine_accounts as m (agent_id, accounts) values (${agentId}, ${JSON.stringify(accounts)}::jsonb)
    on conflict (agent_id) do update set accounts = excluded.accounts, changed_at = clock_timestamp() where m.accounts <> excluded.accounts`.execute(
    db,
  );
}

/** Rewrites lists of an agent with combined numbers. Root is the same everywhere. */
export async function createCombiner(db: Db, agentId: string): Promise<(acl: FileAcl) => FileAcl> {
  const { rows } = await sql<{ machine: number; accounts: MachineAccounts }>`
    select machine, accounts from machine_accounts where agent_id = ${agentId}`.execute(db);
  const [known] = rows;
  if (!known) return (acl) => acl;
  const users = new Set(known.accounts.users.map(([uid]) => uid));
  const groups = new Set(known.accounts.groups.map(([gid]) => gid));
  const user = (uid: number): number => (users.has(uid) ? combine(known.machine, uid) : uid);
  const group = (gid: number): number => (groups.has(gid) ? combine(known.machine, gid) : gid);
  const list = (entries: FileAcl['access']): FileAcl['access'] =>
    entries?.map((entry) => (entry.id === null ? entry : { ...entry, id: entry.tag === 'user' ? user(entry.id) : group(entry.id) })) ??
    null;
  return (acl) => ({
    ...acl,
    uid: user(acl.uid),
    gid: group(acl.gid),
    access: list(acl.access),
    default: list(acl.default),
    nfs:
      acl.nfs?.map((entry) =>
        /^\d+$/.test(entry.who) ? { ...entry, who: String((entry.isGroup ? group : user)(Number(entry.who))) } : entry,
      ) ?? null,
  });
}

/** Names, groups and members of accounts by their combined numbers. Names end with @ and the name of the agent. */
export interface Machines {
  user(uid: number): { name: string; gid: number; fullName: string } | undefined;
  group(gid: number): { name: string; members: readonly string[] } | undefined;
  groupsOf(uid: number): ReadonlySet<number>;
  membersOf(gid: number): number[];
  uidByName(name: string): number | undefined;
  gidByName(name: string): number | undefined;
  /** Accounts of people on the machine of an agent. */
  peopleOf(machine: number): number[];
}

interface MachineCache {
  stamp: string;
  machines: Machines;
}

const caches = new WeakMap<Db, MachineCache>();

/** The same object until an account or the name of an agent changes. */
export async function loadMachines(db: Db): Promise<Machines> {
  const state = await sql<{ stamp: string }>`
    select count(*) || ' ' || coalesce(max(m.changed_at), 'epoch') || ' ' || coalesce(sum(hashtext(a.name)), 0) as stamp
    from machine_accounts m join agents a on a.id = m.agent_id`.execute(db);
  const { stamp } = one(state.rows);
  const known = caches.get(db);
  if (known?.stamp === stamp) return known.machines;
  // Kept as text: a large fleet has a million accounts, and few of them are asked for.
  const { rows } = await sql<{ machine: number; name: string; accounts: string }>`
    select m.machine, a.name, m.accounts::text as accounts from machine_accounts m join agents a on a.id = m.agent_id order by m.machine`.execute(
    db,
  );
  const machines = describeMachines(rows);
  caches.set(db, { stamp, machines });
  return machines;
}

function describeMachines(rows: readonly { machine: number; name: string; accounts: string }[]): Machines {
  const byNumber = new Map(rows.map((row) => [row.machine, row]));
  const byName = new Map(rows.map(({ name, machine }) => [name, machine]));
  const read = new Map<number, Machine | undefined>();
  const machineAt = (machine: number): Machine | undefined => {
    if (!read.has(machine)) read.set(machine, readMachine(byNumber.get(machine)));
    return read.get(machine);
  };
  const at = (number: number): Machine | undefined => (isCombined(number) ? machineAt(machineOf(number)) : undefined);
  const find = (name: string, kind: 'users' | 'groups'): number | undefined => {
    const cut = name.indexOf('@');
    const machine = cut === -1 ? undefined : machineAt(byName.get(name.slice(cut + 1)) ?? -1);
    if (!machine) return undefined;
    for (const [number, account] of machine[kind]) if (account.name === name) return number;
    return undefined;
  };
  return {
    user: (uid) => at(uid)?.users.get(uid),
    group: (gid) => at(gid)?.groups.get(gid),
    groupsOf(uid) {
      const machine = at(uid);
      const user = machine?.users.get(uid);
      if (!machine || !user) return new Set();
      return new Set([user.gid, ...[...machine.groups].flatMap(([gid, { members }]) => (members.includes(user.name) ? [gid] : []))]);
    },
    membersOf(gid) {
      const machine = at(gid);
      const members = machine?.groups.get(gid)?.members ?? [];
      return [...(machine?.users ?? [])].flatMap(([uid, user]) => (user.gid === gid || members.includes(user.name) ? [uid] : []));
    },
    uidByName: (name) => find(name, 'users'),
    gidByName: (name) => find(name, 'groups'),
    peopleOf: (machine) => [...(machineAt(machine)?.users.keys() ?? [])].filter((uid) => isPerson(uid % perMachine)),
  };
}

/** Accounts of people, as opposed to those of services. */
export const isPerson = (uid: number): boolean => uid === 0 || (uid >= 1000 && uid < 60_000);

function readMachine(row: { machine: number; name: string; accounts: string } | undefined): Machine | undefined {
  if (!row) return undefined;
  const { machine, name: agent } = row;
  const { users, groups } = JSON.parse(row.accounts) as MachineAccounts;
  const own = new Set(groups.map(([gid]) => gid));
  const full = (name: string): string => `${name}@${agent}`;
  return {
    machine,
    name: agent,
    users: new Map(
      users.map(([uid, name, gid, fullName]) => [
        combine(machine, uid),
        { name: full(name), gid: own.has(gid) ? combine(machine, gid) : gid, fullName },
      ]),
    ),
    groups: new Map(groups.map(([gid, name, members]) => [combine(machine, gid), { name: full(name), members: members.map(full) }])),
  };
}
