import { globExpression, plainLength } from './glob.ts';

/** One line of an ignore file, read once. `matches` is handed byte strings. */
export interface IgnorePattern {
  text: string;
  negated: boolean;
  /** Ends in a slash: matches folders only. */
  foldersOnly: boolean;
  /** Holds no slash: compared with the last name of a path, at any depth. */
  byName: boolean;
  /** The name it stands for when it has no wildcard, else null. */
  exact: string | null;
  /** What a name must end with when it is one star and plain text, else null. */
  suffix: string | null;
  matches(subject: string): boolean;
}

/** Names and paths are compared byte by byte; ASCII, the common case, stays as it is. */
export function byteString(text: string, bytes: (text: string) => Buffer): string {
  return /[^\x00-\x7f]/.test(text) ? bytes(text).toString('latin1') : text;
}

const utf8 = (text: string): Buffer => Buffer.from(text, 'utf8');

function trimTrailingSpaces(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') {
    let backslashes = 0;
    while (line[end - 2 - backslashes] === '\\') backslashes += 1;
    if (backslashes % 2 === 1) break;
    end -= 1;
  }
  return line.slice(0, end);
}

/** Null for a blank line, a comment, or a pattern that can never match. */
export function parseIgnorePattern(line: string): IgnorePattern | null {
  if (line.startsWith('#')) return null;
  let glob = trimTrailingSpaces(line.replace(/\r$/, ''));
  const text = glob;
  const negated = glob.startsWith('!');
  if (negated) glob = glob.slice(1);
  const foldersOnly = glob.endsWith('/');
  if (foldersOnly) glob = glob.slice(0, -1);
  if (glob === '') return null;
  glob = byteString(glob, utf8);
  const byName = !glob.includes('/');
  if (!byName && glob.startsWith('/')) glob = glob.slice(1);
  if (glob === '') return null;
  const shape = { text, negated, foldersOnly, byName };
  if (plainLength(glob) === glob.length) return { ...shape, exact: glob, suffix: null, matches: (subject) => subject === glob };
  if (byName && glob.startsWith('*') && plainLength(glob.slice(1)) === glob.length - 1) {
    const suffix = glob.slice(1);
    return { ...shape, exact: null, suffix, matches: (subject) => subject.endsWith(suffix) };
  }
  const expression = globExpression(glob, !byName);
  return expression && { ...shape, exact: null, suffix: null, matches: (subject) => expression.test(subject) };
}
