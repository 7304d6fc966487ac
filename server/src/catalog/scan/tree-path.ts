import { createHash } from 'node:crypto';
import { pathBytes } from '../walk/index.ts';

/** Labels of the path tree may hold letters, digits, hyphen and underscore; any other byte becomes `_` and two hex digits. */
const longestLabel = 200;
/** The index over the tree refuses keys near a page in size. A deeper folder keeps the labels that fit: its ancestors still find it. */
const longestPath = 3500;

export function treeLabel(name: string): string {
  if (/^[A-Za-z0-9-]{1,200}$/.test(name)) return name;
  let label = '';
  for (const byte of pathBytes(name)) {
    const char = String.fromCharCode(byte);
    label += /[A-Za-z0-9-]/.test(char) ? char : `_${byte.toString(16).padStart(2, '0')}`;
  }
  if (label.length <= longestLabel) return label;
  return `${label.slice(0, longestLabel - 35)}_h_${createHash('sha256').update(pathBytes(name)).digest('hex').slice(0, 32)}`;
}

/** A folder's place in the path tree: the library, then each folder on the way down. */
export function treePath(libraryId: string, relPath: string): string {
  let path = libraryId.replaceAll('-', '');
  if (relPath === '') return path;
  let labels = 1;
  for (const name of relPath.split('/')) {
    const label = treeLabel(name);
    if (path.length + label.length + 8 * labels > longestPath) break;
    path += `.${label}`;
    labels += 1;
  }
  return path;
}
