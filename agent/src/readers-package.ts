export type Readers = typeof import('@catalog/readers');

/** The package of the readers. A single executable takes it from inside itself (single-file-readers.ts). */
export const loadReaders = (_dataDir: string): Promise<Readers> => import('@catalog/readers');
