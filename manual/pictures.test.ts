import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = (name: string) => fileURLToPath(new URL(`./${name}/`, import.meta.url));

test('every picture in the manual exists and every picture file is used', () => {
  const used = readdirSync(folder('pages')).flatMap((page) =>
    [...readFileSync(`${folder('pages')}${page}`, 'utf8').matchAll(/!\[[^\]]+\]\(pictures\/([^)]+)\)/g)].map(([, name]) => name),
  );
  expect([...new Set(used)].sort()).toEqual(readdirSync(folder('pictures')).sort());
});

test('a picture of the manual has at most 150 kB', () => {
  const large = readdirSync(folder('pictures')).filter((name) => statSync(`${folder('pictures')}${name}`).size > 150_000);
  expect(large).toEqual([]);
});
