export { readMarker } from './extract-errors.ts';
export { accountingLine } from './present.ts';
export { isInside } from './root.ts';
export { overrideKeys } from './rules.ts';
export { readRelPath } from './scan-paths.ts';
export { createShareMap, joinAddress, type Share, type ShareMapEntry, shareOf } from './share-map.ts';
export { allLibraries, type LibraryRow, libraryById, readableLibrary } from './store.ts';
export { isoTime } from './tree.ts';
