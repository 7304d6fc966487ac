import { isSidecarKey } from '../../catalog/sidecars/index.ts';

/** Facts that do not come from the file's bytes, such as those of sidecars and the download origin. They survive a new extraction. */
export function factsBesideBytes(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => isBesideBytes(key)));
}

/** Facts that come from the bytes; only these are copied from an item with the same content. */
export function factsOfBytes(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !isBesideBytes(key)));
}

/** The download origin, which is an attribute of the file. */
export function provenanceOf(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => origins.includes(key)));
}

const origins = ['origin_url', 'referrer_url'];

function isBesideBytes(key: string): boolean {
  return isSidecarKey(key) || origins.includes(key) || key === 'sniffed';
}
