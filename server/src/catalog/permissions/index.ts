export { createPermissionCollector, openPermissionReader, type PermissionCollector, permissionWalkOptions } from './collect.ts';
export { applyFolderChanges } from './propagate.ts';
export { setAccessClasses } from './store.ts';
