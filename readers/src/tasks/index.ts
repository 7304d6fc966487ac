/** Modules that the sandbox imports in its children, by the name of the task. The pool knows `extract` by itself; the others are passed to it. */
export const thumbTaskModule = new URL('./thumb-task.ts', import.meta.url);
export const ocrTaskModule = new URL('./ocr-task.ts', import.meta.url);
export const sniffTaskModule = new URL('./sniff-task.ts', import.meta.url);
export const pageTaskModule = new URL('./page-task.ts', import.meta.url);
export const turntableTaskModule = new URL('./turntable-task.ts', import.meta.url);
export const wordsTaskModule = new URL('./words-task.ts', import.meta.url);
export const sidecarTaskModule = new URL('./sidecar-task.ts', import.meta.url);
