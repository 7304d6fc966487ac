import { entriesOf, type FileAcl, type FilePrincipal, type PermissionEntry } from '@catalog/scanner';

/**
 * How the list of a file or folder deviates from what its folder passes on, in words; null when it does not. Only reading and writing are
 * compared, because files and folders use the right to execute differently. In Windows lists, inherited entries never deviate.
 */
export function explicitDifference(
  acl: FileAcl,
  parent: FileAcl,
  isFolder: boolean,
  label: (principal: FilePrincipal) => string,
): string | null {
  const own = grantsOf(acl, false);
  const passed = grantsOf(parent, !isFolder);
  const line = (sign: string, { principal, type, rights }: Grant): string => `${sign}${type} ${label(principal)}: ${rights || 'nothing'}`;
  const added = [...own].filter(([key, { inherited }]) => !passed.has(key) && !inherited).map(([, grant]) => line('+', grant));
  // Windows copies inheritable entries when a file is created; a missing one is visible as a list that differs, not as an entry.
  const removed = acl.nt ? [] : [...passed].filter(([key]) => !own.has(key)).map(([, grant]) => line('-', grant));
  return added.length + removed.length === 0 ? null : [...added, ...removed].join('; ');
}

interface Grant {
  principal: FilePrincipal;
  type: 'allow' | 'deny';
  rights: string;
  inherited: boolean;
}

/** What a list grants, by principal. Of a folder that passes entries on, those count for its files. */
function grantsOf(acl: FileAcl, asParent: boolean): Map<string, Grant> {
  const entries = entriesOf(acl);
  const passing = entries.filter(({ scope }) => scope !== 'this');
  const counted = asParent && passing.length > 0 ? passing : entries.filter(({ scope }) => scope !== 'dir_default');
  const grants = counted
    .filter(({ principal }) => !['mask', 'creator_owner', 'creator_group'].includes(principal.well_known ?? ''))
    .map(({ principal, type, verbs, inherited }) => ({ principal, type, rights: rightsOf(verbs), inherited }))
    // An entry that grants nothing is the same as none.
    .filter(({ rights }) => rights !== '');
  return new Map(grants.map((grant) => [`${grant.type} ${grant.principal.id} ${grant.rights}`, grant]));
}

function rightsOf(verbs: PermissionEntry['verbs']): string {
  const has = (...names: PermissionEntry['verbs']): boolean => names.some((name) => verbs.includes(name));
  return [...(has('read', 'list', 'full') ? ['read'] : []), ...(has('write', 'full') ? ['write'] : [])].join(', ');
}
