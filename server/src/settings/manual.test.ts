import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configurationPage, configurationPagePath } from './manual.ts';
import { deploymentSection, sections } from './table/index.ts';

test('the configuration page of the manual is up to date (run node server/src/settings/manual.ts --write)', () => {
  expect(readFileSync(configurationPagePath, 'utf8')).toBe(configurationPage());
});

test('the page has one table row of four cells for every setting', () => {
  const lines = configurationPage().split('\n');
  const names = [...sections, deploymentSection].flatMap(({ settings }) => Object.keys(settings));
  for (const name of names) {
    const found = lines.filter((line) => line.startsWith(`| \`${name}\``));
    expect(found, name).toHaveLength(1);
    expect(found[0]?.split(/(?<!\\)\|/), name).toHaveLength(6);
  }
});
