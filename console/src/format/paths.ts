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
