import { toDate } from '../format/dates.ts';

const SETTLED_MS = 86_400_000;

interface Pictured {
  mtime: string | number;
  content_hash?: string | null;
  last_changed?: string;
}

/**
 * Names the bytes a picture shows, so that a browser may keep it for good. A file that changed of late has none: until it is read again
 * the service answers with the picture of before, and that one must not be kept under the new name.
 */
export function pictureVersion(file: Pictured, now = Date.now()): string | undefined {
  const changed = Math.max(toDate(file.mtime).getTime(), file.last_changed ? toDate(file.last_changed).getTime() : 0);
  // A time that cannot be read, or lies ahead, says nothing either.
  if (!(now - changed >= SETTLED_MS)) return undefined;
  return file.content_hash ?? String(toDate(file.mtime).getTime());
}
