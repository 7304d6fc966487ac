import { evaluate, mayEnter } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { loadClasses } from './access.ts';
import { labelOf, named, peopleOf } from './describe.ts';
import { compareAcls, summarize } from './diff.ts';
import { knownPeople } from './known-people.ts';
import { changesOf, findAcls, foldersOnPath, type ItemAccess } from './store.ts';

const maxChanges = 50;

/**
 * Changes of the list of an item and of the folders above it, newest first, each with what was added and removed and for how many people.
 * Each change is undone in turn, so that people are counted with the other lists as they were then.
 */
export async function accessHistory(db: Db, item: ItemAccess) {
  const changes = await changesOf(db, item, maxChanges);
  if (changes.length === 0) return [];
  const lists = new Map<string | null, number>();
  for (const { rel_path, acl_id } of await foldersOnPath(db, item.library_id, item.rel_path)) lists.set(rel_path, acl_id);
  const current = item.access_class === null ? undefined : (await loadClasses(db)).get(item.access_class);
  // Folders above the library have no history; their lists are in the class of the file.
  const inside = new Set(lists.values());
  const above = (current?.path ?? []).map(({ id }) => id).filter((id) => !inside.has(id));
  if (current) lists.set(null, current.aclId);
  const acls = await findAcls(db, [
    ...new Set([...above, ...lists.values(), ...changes.flatMap(({ before_acl, after_acl }) => [before_acl, after_acl])]),
  ]);
  const accounts = await knownPeople(db);
  const people = peopleOf(accounts);
  const allowed = new Map<string, boolean[]>();
  /** Whom a list lets read the file, or pass through the folder, in the order of `people`. */
  const allowedBy = (id: number, isFile: boolean): boolean[] => {
    const key = `${id} ${isFile}`;
    const known = allowed.get(key);
    if (known) return known;
    const acl = acls.get(id);
    const answers = people.map(({ identity }) => !acl || (isFile ? evaluate(acl, identity, 'read') : mayEnter(acl, identity)).allowed);
    allowed.set(key, answers);
    return answers;
  };
  const readers = (): boolean[] => {
    const answers = [...above.map((id) => allowedBy(id, false)), ...[...lists].map(([folder, id]) => allowedBy(id, folder === null))];
    return people.map((_, at) => answers.every((each) => each[at]));
  };
  return changes.flatMap(({ changed_at, folder, before_acl, after_acl }) => {
    lists.set(folder, after_acl);
    const now = readers();
    lists.set(folder, before_acl);
    const then = readers();
    const [before, after] = [acls.get(before_acl), acls.get(after_acl)];
    if (!before || !after) return [];
    const difference = compareAcls(before, after);
    const entry = (sign: '+' | '-', { principal, type, verbs }: (typeof difference.added)[number]) => ({
      sign,
      type,
      principal: named(principal, accounts),
      verbs,
    });
    return {
      changed_at: changed_at.toISOString(),
      folder,
      summary: summarize(difference, (principal) => labelOf(principal, accounts)),
      lines: [
        ...difference.removed.map((each) => entry('-', each)),
        ...difference.modified.flatMap((each) => [entry('-', each.before), entry('+', each.after)]),
        ...difference.added.map((each) => entry('+', each)),
      ],
      owner: difference.owner && { before: named(difference.owner.before, accounts), after: named(difference.owner.after, accounts) },
      gained: now.filter((may, at) => may && !then[at]).length,
      lost: then.filter((may, at) => may && !now[at]).length,
    };
  });
}
