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

/**
 * Ignore-file globs, translated to regular expressions with the same answers as git's own matcher. Git compares bytes, so names are
 * compared as byte strings here (`byteString`): `?` stands for one byte, and a name that is not UTF-8 matches like any other.
 */
const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  blank: ' \\t',
  cntrl: '\\x00-\\x1f\\x7f',
  digit: '0-9',
  graph: '\\x21-\\x7e',
  lower: 'a-z',
  print: '\\x20-\\x7e',
  punct: '\\x21-\\x2f\\x3a-\\x40\\x5b-\\x60\\x7b-\\x7e',
  space: '\\t-\\r ',
  upper: 'A-Z',
  xdigit: '0-9A-Fa-f',
};

const special = /[*?[\\]/;

/** How many leading characters are plain text. */
export function plainLength(glob: string): number {
  const at = glob.search(special);
  return at === -1 ? glob.length : at;
}

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const escapeInClass = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`;

/**
 * The expression for a glob, or null when git would never match it (an open bracket, a trailing backslash).
 * `acrossFolders`: the glob is compared with a whole path, so `*` stops at a slash and `**` between slashes does not.
 */
export function globExpression(glob: string, acrossFolders: boolean): RegExp | null {
  const any = acrossFolders ? '[^/]' : '.';
  const prefix = acrossFolders ? plainLength(glob) : 0;
  let source = '';
  let at = 0;
  while (at < glob.length) {
    const char = glob[at]!;
    if (char === '\\') {
      if (at + 1 >= glob.length) return null;
      source += escapeText(glob[at + 1]!);
      at += 2;
    } else if (char === '?') {
      source += any;
      at += 1;
    } else if (char === '[') {
      const bracket = readBracket(glob, at);
      if (!bracket) return null;
      source += acrossFolders ? `(?!/)${bracket.source}` : bracket.source;
      at = bracket.end;
    } else if (char === '*') {
      let end = at;
      while (glob[end] === '*') end += 1;
      // Git looks at what stands before the stars only within the part after the plain prefix.
      const opens = at === prefix || glob[at - 1] === '/';
      const closes = end === glob.length || glob[end] === '/' || glob.startsWith('\\/', end);
      if (acrossFolders && end - at > 1 && opens && closes) {
        if (glob[end] === '/') {
          source += '(?:.*/)?';
          end += 1;
        } else source += '.*';
      } else source += `${any}*`;
      at = end;
    } else {
      source += escapeText(char);
      at += 1;
    }
  }
  return new RegExp(`^${source}$`, 's');
}

function readBracket(glob: string, open: number): { source: string; end: number } | null {
  let at = open + 1;
  const negated = glob[at] === '!' || glob[at] === '^';
  if (negated) at += 1;
  let members = '';
  let previous = 0;
  let first = true;
  while (first || glob[at] !== ']') {
    const char = glob[at];
    if (char === undefined) return null;
    first = false;
    if (char === '-' && previous && glob[at + 1] !== undefined && glob[at + 1] !== ']') {
      at += 1;
      if (glob[at] === '\\') at += 1;
      if (glob[at] === undefined) return null;
      const last = glob.charCodeAt(at);
      if (previous <= last) members += `${escapeInClass(previous)}-${escapeInClass(last)}`;
      previous = 0;
    } else if (char === '[' && glob[at + 1] === ':') {
      const close = glob.indexOf(']', at + 2);
      if (close === -1) return null;
      if (glob[close - 1] !== ':' || close - 1 < at + 2) {
        // Not a class after all: the bracket is an ordinary member.
        members += escapeInClass(0x5b);
        previous = 0x5b;
      } else {
        const named = posixClasses[glob.slice(at + 2, close - 1)];
        if (named === undefined) return null;
        members += named;
        at = close;
        previous = 0;
      }
    } else {
      if (char === '\\') at += 1;
      if (glob[at] === undefined) return null;
      previous = glob.charCodeAt(at);
      members += escapeInClass(previous);
    }
    at += 1;
  }
  if (members === '') return { source: negated ? '[^]' : '[]', end: at + 1 };
  return { source: `[${negated ? '^' : ''}${members}]`, end: at + 1 };
}
