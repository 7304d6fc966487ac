import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
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

/** Rewrites one file in a hundred: the first of every folder. */
export function changeOneInHundred(root: string, folders: number, round: number): void {
  for (let folder = 0; folder < folders; folder += 1) writeFileSync(path.join(folderPath(root, folder), fileName(0)), `round ${round} of ${folder}`);
}

export function fell(root: string): void {
  rmSync(root, { recursive: true, force: true });
}
