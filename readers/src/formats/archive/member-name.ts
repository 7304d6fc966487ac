const utf8 = new TextDecoder('utf-8', { fatal: true });
const western = new TextDecoder('windows-1252');
const maxNameChars = 1000;

/** A name stored without a stated encoding: UTF-8 when it is valid, Western otherwise, so that none is lost. */
export function decodeMemberName(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return western.decode(bytes);
  }
}

/**
 * A member's name is text written by a stranger: it is shown and searched, never used as a path. Control and direction characters would
 * break lists and logs, so they become spaces; `..` and leading slashes stay visible, because someone may look for exactly that.
 */
export function readableName(name: string): string {
  const clean = name
    .replaceAll('\\', '/')
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]+/g, ' ')
    .toWellFormed()
    .trim();
  return clean.length > maxNameChars ? clean.slice(0, maxNameChars).toWellFormed() : clean;
}

/** True for names that would leave the folder they are unpacked into. */
export function escapesFolder(name: string): boolean {
  const plain = name.replaceAll('\\', '/');
  return plain.startsWith('/') || /^[a-z]:/i.test(plain) || plain.split('/').includes('..') || plain.includes('\0');
}

const archiveSuffix =
  /\.(zip|zipx|jar|war|ear|apk|cbz|cbr|cb7|cbt|epub|tar|tgz|tbz2?|txz|tzst|gz|bz2|xz|zst|lzma|lz4|7z|rar|cab|iso|arj|lzh|lha|cpio|deb|rpm|wim|dmg)$/i;

/** True for a member that is itself an archive. */
export function isArchiveName(name: string): boolean {
  return archiveSuffix.test(name);
}
