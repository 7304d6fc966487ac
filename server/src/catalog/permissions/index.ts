export { classesAllowing, classesOwnedBy, decideAccess, loadClasses } from './access.ts';
export {
  createPermissionCollector,
  fromSet,
  openPermissionReader,
  type PermissionCollector,
  permissionWalkOptions,
  toSet,
} from './collect.ts';
export { labelOf } from './describe.ts';
export { compareAcls, isUnchanged, summarize } from './diff.ts';
export { explicitDifference } from './explicit.ts';
export { knownPeople } from './known-people.ts';
export { createCombiner, type MachineAccounts, storeAccounts } from './machines.ts';
export { allowedAt, existedAt, pastTables, readableAt } from './past.ts';
export { isOrphaned, principalsIn, resolvePrincipal } from './principals.ts';
export { applyFolderChanges } from './propagate.ts';
export { countByPrincipal, permissionFacts } from './search-facts.ts';
export { findAcls, moveToPath, setAccessClasses, storeAcls, storeClasses, storeFolderAccess, storePaths } from './store.ts';
