import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const mixed = ['jpg', 'txt', 'mp3', 'pdf', 'dat', 'md', 'png', 'json', 'flac', 'docx'];
/** Types that are what their names say, because all files hold text. */
export const textTypes: readonly string[] = ['txt', 'md', 'csv', 'log', 'html', 'json', 'css', 'py', 'ini', 'sql'];

/** Creates folders with 100 small files each, 100 folders per parent. The same arguments create the same tree. */
export function makeTree(root: string, folders: number, from = 0, extensions: readonly string[] = mixed): void {
  for (let folder = from; folder < folders; folder += 1) {
    const dir = folderPath(root, folder);
    mkdirSync(dir, { recursive: true });
    for (let file = 0; file < 100; file += 1) {
      writeFileSync(
        path.join(dir, fileName(file, extensions)),
        `folder ${folder}, file ${file}. `.repeat(10 + ((folder * 7 + file * 13) % 40)),
      );
    }
  }
}

const folderPath = (root: string, folder: number): string =>
  path.join(root, `branch-${String(Math.floor(folder / 100)).padStart(3, '0')}`, `folder-${String(folder % 100).padStart(2, '0')}`);
const fileName = (file: number, extensions: readonly string[] = mixed): string =>
  `document-${String(file).padStart(3, '0')}.${extensions[file % extensions.length]}`;

/** Changes 1 % of the files: all files of every 100th folder (clustered), or the first file of every folder (scattered). */
export function changeOneInHundred(root: string, folders: number, layout: 'clustered' | 'scattered'): number {
  let changed = 0;
  const change = (folder: number, file: number): void => {
    writeFileSync(path.join(folderPath(root, folder), fileName(file)), `${layout} ${folder} ${file}`);
    changed += 1;
  };
  for (let folder = 0; folder < folders; folder += 1) {
    if (layout === 'scattered') change(folder, 0);
    else if (folder % 100 === 0) for (let file = 0; file < 100; file += 1) change(folder, file);
  }
  return changed;
}
