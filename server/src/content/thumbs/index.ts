export { type Collected, collectGarbage, evictLeastRecentlyUsed, leastRecentlyUsed } from './collect.ts';
export { drawPdfPage, pdfExtensions } from './render/pdf.ts';
export { type PageWord, readPdfWords } from './render/pdf-words.ts';
export { imageLibrary } from './render/pixels.ts';
export { renderTiers, type Tiers, type TierSizes } from './render/render-tiers.ts';
export type { ThumbTaskOptions } from './render/thumb-task.ts';
export { createThumbnailers, findThumbnailer, thumbnailers } from './render/thumbnailers.ts';
export { drawTurntable } from './render/turntable.ts';
export { createThumbStore, type ThumbFile, type ThumbKeyParts, type ThumbStore, thumbKey, thumbTiers } from './store.ts';

/** Handed to the extract pool under `tasks`: draws both tiers of a file inside a sandboxed child. */
export const thumbTaskModule = new URL('./render/thumb-task.ts', import.meta.url);
