/** Task modules that callers pass to the sandbox pool, which imports them in its children. The extract task is built in. */
export const thumbTaskModule = new URL('./thumb-task.ts', import.meta.url);
export const ocrTaskModule = new URL('./ocr-task.ts', import.meta.url);
export const sniffTaskModule = new URL('./sniff-task.ts', import.meta.url);
export const pageTaskModule = new URL('./page-task.ts', import.meta.url);
export const turntableTaskModule = new URL('./turntable-task.ts', import.meta.url);
export const wordsTaskModule = new URL('./words-task.ts', import.meta.url);
export const sidecarTaskModule = new URL('./sidecar-task.ts', import.meta.url);
export const photoHashTaskModule = new URL('./photo-hash-task.ts', import.meta.url);
