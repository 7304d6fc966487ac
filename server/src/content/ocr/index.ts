export type { OcrOptions, OcrResult } from './ocr-task.ts';

/** Handed to the extract pool under `tasks`. */
export const ocrTaskModule = new URL('./ocr-task.ts', import.meta.url);

const pictures = new Set(['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'tif', 'tiff', 'webp', 'bmp', 'gif']);

/** Which files can have printed text to recognise. */
export function isReadable(extension: string): boolean {
  return extension === 'pdf' || pictures.has(extension);
}

/** A document with this much text of its own is not a scan. */
export const enoughText = 100;
