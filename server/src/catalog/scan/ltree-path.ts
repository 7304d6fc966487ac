import { createHash } from 'node:crypto';
import { pathBytes } from '@catalog/scanner';

/** An ltree label may hold letters, digits, hyphens and underscores; any other byte is written as `_` and two hex digits. */
const maxLabelLength = 48;
/** The GiST index refuses keys that fill a large part of a page. */
const maxPathLength = 1200;

const digest = (text: string): string => createHash('sha256').update(pathBytes(text)).digest('hex').slice(0, 24);

export function ltreeLabel(name: string): string {
  if (name.length <= maxLabelLength && /^[A-Za-z0-9-]+$/.test(name)) return name;
  let label = '';
  for (const byte of pathBytes(name)) {
    const char = String.fromCharCode(byte);
    label += /[A-Za-z0-9-]/.test(char) ? char : `_${byte.toString(16).padStart(2, '0')}`;
    if (label.length > maxLabelLength) return `${label.slice(0, 20)}_h_${digest(name)}`;
  }
  return label;
}

/**
 * The ltree path of a folder: the library, then one label per folder. A path that would be too long ends in one unique label instead, so
 * that its ancestors still find the folder.
 */
export function ltreePath(libraryId: string, relPath: string): string {
  let path = libraryId.replaceAll('-', '');
  if (relPath === '') return path;
  let labels = 1;
  for (const name of relPath.split('/')) {
    const label = ltreeLabel(name);
    if (path.length + label.length + 8 * labels > maxPathLength) return `${path}._t_${digest(relPath)}`;
    path += `.${label}`;
    labels += 1;
  }
  return path;
}
