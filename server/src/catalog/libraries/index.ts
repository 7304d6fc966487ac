export { parseExtractError } from './diagnose.ts';
export { accountingLine } from './present.ts';
export { isInside } from './root.ts';
export { extractOverrideKeys } from './rules.ts';
export { parseRelPath } from './scan-paths.ts';
export {
  createShareMap,
  joinToPrefix,
  type ShareLocation,
  type ShareMapEntry,
  findShare,
} from './share-map.ts';
export { allLibraries, type LibraryRow, libraryById, readableLibrary } from './store.ts';
export { isoTime } from './tree.ts';
