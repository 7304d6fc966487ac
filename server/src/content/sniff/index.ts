export { readingExtension, sniffContent } from './service.ts';

/** Handed to the extract pool under `tasks`. */
export const sniffTaskModule = new URL('./sniff-task.ts', import.meta.url);
