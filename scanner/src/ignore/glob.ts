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
