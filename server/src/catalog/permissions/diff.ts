import { entriesOf, type FileAcl, type FilePrincipal, ownersOf, type PermissionEntry } from '@catalog/scanner';

/** What differs between two records of one file or folder. */
export interface AclDifference {
  owner: { before: FilePrincipal; after: FilePrincipal } | null;
  group: { before: FilePrincipal; after: FilePrincipal } | null;
  added: PermissionEntry[];
  removed: PermissionEntry[];
  modified: { before: PermissionEntry; after: PermissionEntry }[];
}

/** Entries belong together when they are about the same principal, allow or deny alike, and have the same scope. */
const keyOf = ({ principal, type, scope }: PermissionEntry): string => `${principal.id}|${type}|${scope}`;
const contentOf = ({ order_index: _, principal: __, ...rest }: PermissionEntry): string => JSON.stringify(rest);

export function compareAcls(before: FileAcl, after: FileAcl): AclDifference {
  const [had, has] = [byKey(entriesOf(before)), byKey(entriesOf(after))];
  const [owners, newOwners] = [ownersOf(before), ownersOf(after)];
  const difference: AclDifference = {
    owner: owners.owner.id === newOwners.owner.id ? null : { before: owners.owner, after: newOwners.owner },
    group: owners.group.id === newOwners.group.id ? null : { before: owners.group, after: newOwners.group },
    added: [],
    removed: [],
    modified: [],
  };
  for (const [key, entries] of has) {
    const earlier = had.get(key) ?? [];
    entries.forEach((entry, at) => {
      const match = earlier[at];
      if (!match) difference.added.push(entry);
      else if (contentOf(match) !== contentOf(entry)) difference.modified.push({ before: match, after: entry });
    });
  }
  for (const [key, entries] of had) difference.removed.push(...entries.slice(has.get(key)?.length ?? 0));
  return difference;
}

/** Only facts about how a list is stored differ, such as its fidelity. */
export const isUnchanged = ({ owner, group, added, removed, modified }: AclDifference): boolean =>
  owner === null && group === null && added.length + removed.length + modified.length === 0;

const byKey = (entries: readonly PermissionEntry[]): Map<string, PermissionEntry[]> => Map.groupBy(entries, keyOf);

const maxParts = 12;

/** One line: `owner a -> b; +allow X: read, write; ~allow Y: read -> read, write`. */
export function summarize(difference: AclDifference, name: (principal: FilePrincipal) => string): string {
  const verbs = ({ verbs: list }: PermissionEntry): string => list.join(', ') || 'nothing';
  const parts = [
    ...(difference.owner ? [`owner ${name(difference.owner.before)} -> ${name(difference.owner.after)}`] : []),
    ...(difference.group ? [`group ${name(difference.group.before)} -> ${name(difference.group.after)}`] : []),
    ...difference.added.map((entry) => `+${entry.type} ${name(entry.principal)}: ${verbs(entry)}`),
    ...difference.removed.map((entry) => `-${entry.type} ${name(entry.principal)}: ${verbs(entry)}`),
    ...difference.modified.map(({ before, after }) => `~${after.type} ${name(after.principal)}: ${verbs(before)} -> ${verbs(after)}`),
  ];
  const more = parts.length - maxParts;
  return [...parts.slice(0, maxParts), ...(more > 0 ? [`... +${more} more`] : [])].join('; ');
}
