import { evaluate, type FileAcl, mayEnter } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { labelOf, named, peopleOf } from './describe.ts';
import { compareAcls, summarize } from './diff.ts';
import { knownPeople } from './known-people.ts';
import { changesOf, findAcls, type ItemAccess } from './store.ts';

const maxChanges = 50;

/** Changes of the list of an item and of the folders above it, newest first, each with what was added and removed and for how many people. */
export async function accessHistory(db: Db, item: ItemAccess) {
  const changes = await changesOf(db, item, maxChanges);
  const acls = await findAcls(db, [...new Set(changes.flatMap(({ before_acl, after_acl }) => [before_acl, after_acl]))]);
  const accounts = await knownPeople(db);
  const people = peopleOf(accounts);
  return changes.flatMap(({ changed_at, folder, before_acl, after_acl }) => {
    const [before, after] = [acls.get(before_acl), acls.get(after_acl)];
    if (!before || !after) return [];
    const difference = compareAcls(before, after);
    const may = (acl: FileAcl, who: (typeof people)[number]): boolean =>
      folder === null ? evaluate(acl, who.identity, 'read').allowed : mayEnter(acl, who.identity).allowed;
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
      gained: people.filter((who) => !may(before, who) && may(after, who)).length,
      lost: people.filter((who) => may(before, who) && !may(after, who)).length,
    };
  });
}
