import { type LocalAccounts, readAccounts } from '@catalog/scanner';
import { type DirectoryNames, directoryNames } from '../../people/directory/index.ts';
import type { Db } from '../../platform/database/index.ts';

/** Everybody the catalog knows: accounts and groups of this machine, objects of the directories, and names given by hand. */
export interface KnownPeople extends LocalAccounts {
  directory: DirectoryNames;
}

const cache = new WeakMap<DirectoryNames, { local: LocalAccounts; people: KnownPeople }>();

/** The same object until something about people changes, so that answers computed from it can be kept. */
export async function knownPeople(db: Db): Promise<KnownPeople> {
  const [local, directory] = [readAccounts(), await directoryNames(db)];
  const known = cache.get(directory);
  if (known?.local === local) return known.people;
  const people = { ...local, directory };
  cache.set(directory, { local, people });
  return people;
}
