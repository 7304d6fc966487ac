import '../tables.ts';

export { factsOf, isContentFact } from './content-facts.ts';
export { type OpenFile, openItemFile } from './open-file.ts';
export { patchOverlayWithin } from './overlay.ts';

export { findItem, type ItemRow, selectItems } from './store.ts';
export { maySeeThumb, shownAs, shownAsInList } from './thumb-right.ts';
