import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const extensions = ['jpg', 'txt', 'mp3', 'pdf', 'dat', 'md', 'png', 'json', 'flac', 'docx'];

/** Folders of a hundred small files, a hundred folders to a branch. Same count, same tree. */
export function growTree(root: string, folders: number, from = 0): void {
  for (let folder = from; folder < folders; folder += 1) {
    const at = folderPath(root, folder);
    mkdirSync(at, { recursive: true });
    for (let file = 0; file < 100; file += 1) {
      writeFileSync(path.join(at, fileName(file)), `folder ${folder}, file ${file}. `.repeat(10 + ((folder * 7 + file * 13) % 40)));
    }
  }
}

export const folderPath = (root: string, folder: number): string =>
  path.join(root, `branch-${String(Math.floor(folder / 100)).padStart(3, '0')}`, `folder-${String(folder % 100).padStart(2, '0')}`);
export const fileName = (file: number): string => `document-${String(file).padStart(3, '0')}.${extensions[file % extensions.length]}`;

/** Rewrites one file in a hundred: all those of every hundredth folder, or the first of every folder. */
export function changeOneInHundred(root: string, folders: number, spread: 'together' | 'everywhere'): number {
  let changed = 0;
  const change = (folder: number, file: number): void => {
    writeFileSync(path.join(folderPath(root, folder), fileName(file)), `${spread} ${folder} ${file}`);
    changed += 1;
  };
  for (let folder = 0; folder < folders; folder += 1) {
    if (spread === 'everywhere') change(folder, 0);
    else if (folder % 100 === 0) for (let file = 0; file < 100; file += 1) change(folder, file);
  }
  return changed;
}
