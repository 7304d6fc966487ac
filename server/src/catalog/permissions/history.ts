import { evaluate, type FileAcl, type FilePrincipal, type Identity, mayEnter } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { loadClasses } from './access.ts';
import { labelOf, named, peopleOf } from './describe.ts';
import { type AclDifference, compareAcls, summarize } from './diff.ts';
import { type KnownPeople, knownPeople } from './known-people.ts';
import type { ResolvedPrincipal } from './principals.ts';
import { type AclChange, changesOf, findAcls, foldersOnPath, type ItemAccess } from './store.ts';

const maxChanges = 50;

/** The lists that decide about an item, by folder; null is the file itself. */
type Lists = Map<string | null, number>;

/** What is known of the access to an item over time. */
export interface Timeline {
  /** Newest first. */
  changes: AclChange[];
  /** Older changes exist but were not read. */
  more: boolean;
  acls: ReadonlyMap<number, FileAcl>;
  accounts: KnownPeople;
  machine: number | null;
  lists: Lists;
  /** Lists of folders above the library, which have no history. */
  above: number[];
}

export async function loadTimeline(db: Db, item: ItemAccess): Promise<Timeline> {
  const changes = await changesOf(db, item, maxChanges + 1);
  const lists: Lists = new Map();
  for (const { rel_path, acl_id } of await foldersOnPath(db, item.library_id, item.rel_path)) lists.set(rel_path, acl_id);
  const current = item.access_class === null ? undefined : (await loadClasses(db)).get(item.access_class);
  const inside = new Set(lists.values());
  const above = (current?.path ?? []).map(({ id }) => id).filter((id) => !inside.has(id));
  if (current) lists.set(null, current.aclId);
  const acls = await findAcls(db, [
    ...new Set([...above, ...lists.values(), ...changes.flatMap(({ before_acl, after_acl }) => [before_acl, after_acl])]),
  ]);
  const more = changes.length > maxChanges;
  return { changes: changes.slice(0, maxChanges), more, acls, accounts: await knownPeople(db), machine: item.machine, lists, above };
}

/** Answers whether somebody could read the item with given lists; what one list says is computed once. */
function createReader({ acls, above }: Timeline, identity: Identity): (lists: Lists) => boolean {
  const known = new Map<string, boolean>();
  const allows = (id: number, isFile: boolean): boolean => {
    const key = `${id} ${isFile}`;
    const acl = acls.get(id);
    const answer = known.get(key) ?? (!acl || (isFile ? evaluate(acl, identity, 'read') : mayEnter(acl, identity)).allowed);
    known.set(key, answer);
    return answer;
  };
  return (lists) => above.every((id) => allows(id, false)) && [...lists].every(([folder, id]) => allows(id, folder === null));
}

/** The lists as they were at a time: newer changes are undone. */
function listsAt({ lists, changes }: Timeline, at: Date): Lists {
  const then: Lists = new Map(lists);
  for (const { changed_at, folder, before_acl } of changes) if (changed_at > at) then.set(folder, before_acl);
  return then;
}

/** Since when somebody can, or cannot, read the item. Null when that did not change as far as changes are known. */
export function sinceWhen(timeline: Timeline, { identity }: ResolvedPrincipal): Date | null {
  const reads = createReader(timeline, identity);
  const lists: Lists = new Map(timeline.lists);
  const now = reads(lists);
  for (const { changed_at, folder, before_acl } of timeline.changes) {
    lists.set(folder, before_acl);
    if (reads(lists) !== now) return changed_at;
  }
  return null;
}

/** People of this machine and the directory whom a principal stands for. */
function covered(people: readonly ResolvedPrincipal[], { id, well_known }: FilePrincipal): number {
  if (well_known === 'everyone' || well_known === 'authenticated_users') return people.length;
  const gid = /^gid:(\d+)$/.exec(id)?.[1];
  return people.filter(({ ids, identity }) => ids.has(id) || identity.sids.has(id) || (gid !== undefined && identity.gids.has(Number(gid))))
    .length;
}

function linesOf(difference: AclDifference, accounts: KnownPeople, people: readonly ResolvedPrincipal[]) {
  const entry = (sign: '+' | '-', { principal, type, verbs }: AclDifference['added'][number]) => ({
    sign,
    type,
    principal: named(principal, accounts),
    verbs,
    people: covered(people, principal),
  });
  return [
    ...difference.removed.map((each) => entry('-', each)),
    ...difference.modified.flatMap((each) => [entry('-', each.before), entry('+', each.after)]),
    ...difference.added.map((each) => entry('+', each)),
  ];
}

const ownerChange = ({ owner }: AclDifference, accounts: KnownPeople) =>
  owner && { before: named(owner.before, accounts), after: named(owner.after, accounts) };

/**
 * Changes of the list of an item and of the folders above it, newest first, each with what was added and removed and for how many people.
 * Each change is undone in turn, so that people are counted with the other lists as they were then.
 */
export function describeChanges(timeline: Timeline) {
  const { changes, acls, accounts } = timeline;
  const people = changes.length === 0 ? [] : peopleOf(accounts, timeline.machine);
  const readers = people.map(({ identity }) => createReader(timeline, identity));
  const lists: Lists = new Map(timeline.lists);
  return changes.flatMap(({ changed_at, folder, before_acl, after_acl }) => {
    lists.set(folder, after_acl);
    const now = readers.map((reads) => reads(lists));
    lists.set(folder, before_acl);
    const then = readers.map((reads) => reads(lists));
    const [before, after] = [acls.get(before_acl), acls.get(after_acl)];
    if (!before || !after) return [];
    const difference = compareAcls(before, after);
    return {
      changed_at: changed_at.toISOString(),
      folder,
      summary: summarize(difference, (principal) => labelOf(principal, accounts)),
      lines: linesOf(difference, accounts, people),
      owner: ownerChange(difference, accounts),
      gained: now.filter((may, at) => may && !then[at]).length,
      lost: then.filter((may, at) => may && !now[at]).length,
    };
  });
}

const maxNamed = 50;

/** What differs between two times: entries by folder, and who gained or lost access, by name. */
export function compareTimes(timeline: Timeline, from: Date, to: Date) {
  const { acls, accounts, changes, more } = timeline;
  const people = peopleOf(accounts, timeline.machine);
  const [then, later] = [listsAt(timeline, from), listsAt(timeline, to)];
  const readers = people.map((who) => ({ who, reads: createReader(timeline, who.identity) }));
  const namesOf = (had: Lists, lacks: Lists): { count: number; names: string[] } => {
    const found = readers.filter(({ reads }) => reads(had) && !reads(lacks));
    return { count: found.length, names: found.slice(0, maxNamed).map(({ who }) => labelOf(who.principal, accounts)) };
  };
  const parts = [...later].flatMap(([folder, id]) => {
    const [before, after] = [acls.get(then.get(folder) ?? id), acls.get(id)];
    if (!before || !after || before === after) return [];
    const difference = compareAcls(before, after);
    return { folder, lines: linesOf(difference, accounts, people), owner: ownerChange(difference, accounts) };
  });
  const oldest = changes.at(-1);
  return {
    // Changes before the oldest one that was read are not known.
    complete: !more || oldest === undefined || oldest.changed_at <= from,
    parts,
    gained: namesOf(later, then),
    lost: namesOf(then, later),
  };
}
