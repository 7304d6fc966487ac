export { classesAllowing, classesOwnedBy, loadClasses } from './access.ts';
export { createPermissionCollector, openPermissionReader, type PermissionCollector, permissionWalkOptions } from './collect.ts';
export { resolvePrincipal } from './principals.ts';
export { applyFolderChanges } from './propagate.ts';
export { permissionFacts } from './search-facts.ts';
export { setAccessClasses } from './store.ts';
