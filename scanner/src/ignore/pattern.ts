/** One parsed line of an ignore file. `matches` expects a byte string. */
export interface IgnorePattern {
  text: string;
  negated: boolean;
  /** True when the line ends in a slash. */
  foldersOnly: boolean;
  /** True when the line has no other slash: it is compared with the last name of a path, at any depth. */
  byName: boolean;
  /** The whole glob when it has no wildcard, else null. */
  exact: string | null;
  /** The text after the star of a glob like `*.tmp`, else null. */
  suffix: string | null;
  matches(subject: string): boolean;
}

/** One character per byte, because git compares bytes. ASCII text, the common case, is returned unchanged. */
export function byteString(text: string, bytes: (text: string) => Buffer): string {
  return /[^\x00-\x7f]/.test(text) ? bytes(text).toString('latin1') : text;
}

export const utf8Bytes = (text: string): Buffer => Buffer.from(text, 'utf8');

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

/** Returns null for a blank line, a comment, or a pattern that can never match. */
export function parseIgnorePattern(line: string): IgnorePattern | null {
  if (line.startsWith('#')) return null;
  let glob = trimTrailingSpaces(line.replace(/\r$/, ''));
  const text = glob;
  const negated = glob.startsWith('!');
  if (negated) glob = glob.slice(1);
  const foldersOnly = glob.endsWith('/');
  if (foldersOnly) glob = glob.slice(0, -1);
  if (glob === '') return null;
  glob = byteString(glob, utf8Bytes);
  const byName = !glob.includes('/');
  if (!byName && glob.startsWith('/')) glob = glob.slice(1);
  if (glob === '') return null;
  const base = { text, negated, foldersOnly, byName };
  if (literalPrefixLength(glob) === glob.length) return { ...base, exact: glob, suffix: null, matches: (subject) => subject === glob };
  if (byName && glob.startsWith('*') && literalPrefixLength(glob.slice(1)) === glob.length - 1) {
    const suffix = glob.slice(1);
    return { ...base, exact: null, suffix, matches: (subject) => subject.endsWith(suffix) };
  }
  const expression = globToRegExp(glob, !byName);
  return expression && { ...base, exact: null, suffix: null, matches: (subject) => expression.test(subject) };
}

/**
 * Ignore-file globs are translated to regular expressions that match exactly what git's own matcher matches. Both sides are byte strings,
 * so `?` matches one byte and names that are not UTF-8 can be matched too.
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

const wildcard = /[*?[\\]/;

/** The number of characters before the first wildcard or escape. */
function literalPrefixLength(glob: string): number {
  const at = glob.search(wildcard);
  return at === -1 ? glob.length : at;
}

const escapeText = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
const escapeInClass = (code: number): string => `\\x${code.toString(16).padStart(2, '0')}`;

/**
 * Returns null when git would never match the glob (an unclosed bracket, a trailing backslash).
 * With `wholePath` the glob is compared with a whole path, so `*` stops at a slash while `**` between slashes does not.
 */
function globToRegExp(glob: string, wholePath: boolean): RegExp | null {
  const any = wholePath ? '[^/]' : '.';
  const prefix = wholePath ? literalPrefixLength(glob) : 0;
  let source = '';
  let at = 0;
  while (at < glob.length) {
    const char = glob.charAt(at);
    if (char === '\\') {
      if (at + 1 >= glob.length) return null;
      source += escapeText(glob.charAt(at + 1));
      at += 2;
    } else if (char === '?') {
      source += any;
      at += 1;
    } else if (char === '[') {
      const bracket = readBracket(glob, at);
      if (!bracket) return null;
      source += wholePath ? `(?!/)${bracket.source}` : bracket.source;
      at = bracket.end;
    } else if (char === '*') {
      let end = at;
      while (glob[end] === '*') end += 1;
      // Git checks the character before the stars only within the part after the literal prefix.
      const opens = at === prefix || glob[at - 1] === '/';
      const closes = end === glob.length || glob[end] === '/' || glob.startsWith('\\/', end);
      if (wholePath && end - at > 1 && opens && closes) {
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
        // Without a closing `:]` the bracket is an ordinary character of the set.
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
