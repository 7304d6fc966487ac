export type { Passage } from './divide.ts';
export { currentShape, passagesOf, storePassagesOf } from './service.ts';
export { sourceText } from './source-text.ts';
export {
  deleteFromPassageOutbox,
  deleteUnusedTexts,
  forgetItemPassages,
  hasPassageLibrary,
  type ItemPassages,
  itemPassagesAfter,
  itemsWithPassages,
  passageOutboxDepth,
  queueChangedItems,
  queueItemsOfText,
  readItemPassages,
  readPassageOutbox,
  recordItemPassages,
} from './store.ts';
