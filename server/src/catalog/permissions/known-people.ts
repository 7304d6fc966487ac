import { type LocalAccounts, readAccounts } from '@catalog/scanner';
import { type DirectoryNames, directoryNames } from '../../people/directory/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { loadMachines, type Machines } from './machines.ts';

/** Everybody the catalog knows: accounts and groups of this machine and of those with agents, objects of the directories, and names given by hand. */
export interface KnownPeople extends LocalAccounts {
  directory: DirectoryNames;
  machines: Machines;
}

const cache = new WeakMap<DirectoryNames, { local: LocalAccounts; people: KnownPeople }>();

/** The same object until something about people changes, so that answers computed from it can be kept. */
export async function knownPeople(db: Db): Promise<KnownPeople> {
  const [local, directory, machines] = [readAccounts(), await directoryNames(db), await loadMachines(db)];
  const known = cache.get(directory);
  if (known?.local === local && known.people.machines === machines) return known.people;
  const people: KnownPeople = {
    users: new WithMachines(local.users, machines.user),
    groups: new WithMachines(local.groups, machines.group),
    uidByName: new WithMachines(local.uidByName, machines.uidByName),
    gidByName: new WithMachines(local.gidByName, machines.gidByName),
    groupsOf: (uid) => (local.users.has(uid) ? local.groupsOf(uid) : machines.groupsOf(uid)),
    membersOf: (gid) => (local.groups.has(gid) ? local.membersOf(gid) : machines.membersOf(gid)),
    directory,
    machines,
  };
  cache.set(directory, { local, people });
  return people;
}

/** Looks up what this machine does not have on the machines of agents. Iterating goes through this machine only. */
class WithMachines<Key, Value> extends Map<Key, Value> {
  readonly #elsewhere: (key: Key) => Value | undefined;

  constructor(local: ReadonlyMap<Key, Value>, elsewhere: (key: Key) => Value | undefined) {
    super(local);
    this.#elsewhere = elsewhere;
  }

  override get(key: Key): Value | undefined {
    return super.get(key) ?? this.#elsewhere(key);
  }

  override has(key: Key): boolean {
    return super.has(key) || this.#elsewhere(key) !== undefined;
  }
}
