import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = (name: string) => fileURLToPath(new URL(`./${name}/`, import.meta.url));

test('every picture the manual shows is there, and none lies about unused', () => {
  const shown = readdirSync(folder('pages')).flatMap((page) =>
    [...readFileSync(`${folder('pages')}${page}`, 'utf8').matchAll(/!\[[^\]]+\]\(pictures\/([^)]+)\)/g)].map((found) => found[1]!),
  );
  expect([...new Set(shown)].sort()).toEqual(readdirSync(folder('pictures')).sort());
});
