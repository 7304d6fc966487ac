import '../tables.ts';

export { type OpenFile, openItemFile } from './open-file.ts';
export { withoutLocations } from './present.ts';
export { absolutePath, lastSeen, nativePath, presentItem } from './present.ts';
export { ItemOut } from './schemas.ts';
export { findItem, type ItemRow, selectItems } from './store.ts';
