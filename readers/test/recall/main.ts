/**
 * Measures the words that our readers find in real files against a reference program: `node readers/test/recall/main.ts FOLDER [EXTENSION]`.
 * One rule excludes a file: the reference cannot read it, or finds no word in it. Files that our reader rejects count with all their words.
 */
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { defaultLimits } from '../../src/contract.ts';
import { locateTool } from '../../src/input/external-tool.ts';
import extract from '../../src/tasks/extract-task.ts';
import { extensionOf, references } from './references.ts';
import { wordRecall } from './words.ts';

const [folder, only] = process.argv.slice(2);
if (folder === undefined) throw new Error('Usage: node readers/test/recall/main.ts FOLDER [EXTENSION]');
const minimum = 0.99;
const shownFiles = 15;

const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .map((name) => join(folder, name))
  .filter((path) => statSync(path).isFile());

for (const [extension, reference] of Object.entries(references)) {
  if (only !== undefined && only !== extension) continue;
  const files = paths.filter((path) => extensionOf(path) === extension);
  if (files.length === 0) continue;
  if (locateTool(reference.tool) === null) {
    console.log(`${extension}: skipped, because ${reference.tool} is not installed (package ${reference.package}).`);
    continue;
  }
  const rows: { path: string; found: number; words: number; missing: string[] }[] = [];
  let excluded = 0;
  for (const path of files) {
    const text = referenceText(path);
    const row = { path, ...wordRecall(text, text === '' ? '' : await ourText(path, extension)) };
    if (row.words === 0) excluded += 1;
    else rows.push(row);
  }
  const [found, words] = [rows.reduce((sum, row) => sum + row.found, 0), rows.reduce((sum, row) => sum + row.words, 0)];
  const share = words === 0 ? 0 : found / words;
  console.log(
    `${extension} against ${reference.tool}: ${(share * 100).toFixed(2)} % of ${words} words in ${rows.length} files (${excluded} excluded)${share < minimum ? ' BELOW 99 %' : ''}`,
  );
  for (const row of rows.sort((a, b) => b.missing.length - a.missing.length).slice(0, shownFiles))
    if (row.missing.length > 0) console.log(`  ${row.path}: ${row.found} of ${row.words}; ${row.missing.slice(0, 12).join(' ')}`);
  if (share < minimum) process.exitCode = 1;

  function referenceText(path: string): string {
    try {
      return reference.read(path);
    } catch {
      return '';
    }
  }
}

async function ourText(path: string, extension: string): Promise<string> {
  const source = { path, filename: path.replace(/^.*\//, ''), extension, size: statSync(path).size, limits: defaultLimits };
  try {
    const result = await extract(source, { provenance: false });
    if (result.unsupported) return '';
    return `${result.extracted.title ?? ''}\n${result.extracted.bodyText ?? ''}`;
  } catch {
    return '';
  }
}
