/** The parent folder of a relative path with a trailing slash, or an empty string at the root. */
export function parentFolder(relPath: string): string {
  const cut = relPath.lastIndexOf('/');
  return cut < 0 ? '' : relPath.slice(0, cut + 1);
}

export function baseName(path: string): string {
  const trimmed = path.replace(/\/+$/, '');
  return trimmed.slice(trimmed.lastIndexOf('/') + 1);
}

const PLAIN = /^[\x20-\x7e]*$/;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Splits a name for a middle ellipsis. The tail holds the extension and the five characters before it. */
export function splitName(name: string): [head: string, tail: string] {
  const dot = name.lastIndexOf('.');
  const extension = dot > 0 && name.length - dot <= 8 ? name.length - dot : 0;
  const keep = extension + 5;
  if (name.length <= keep + 4) return [name, ''];
  if (PLAIN.test(name)) return [name.slice(0, -keep), name.slice(-keep)];
  // Split by graphemes so that emoji and combining marks stay intact.
  const characters = Array.from(graphemes.segment(name), (s) => s.segment);
  let tail = '';
  while (characters.length > 1 && tail.length < keep) tail = `${characters.pop()}${tail}`;
  return [characters.join(''), tail];
}

/** Control and direction characters, which can make a name look like another one: "hello\u202egpj.exe" would read "helloexe.jpg". */
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** A name as it is shown: every invisible character becomes one visible mark, so that positions in the name stay valid. */
export const visibleName = (name: string): string => name.replace(INVISIBLE, '\ufffd');
