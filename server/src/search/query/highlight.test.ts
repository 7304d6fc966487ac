import { expect, test } from 'vitest';
import { cutSnippet, markMatches } from './highlight.ts';

test('matches are marked in the original text despite accents, and everything else is escaped', () => {
  expect(markMatches('quarterlyReport.xlsx', ['report'])).toBe('quarterly<em>Report</em>.xlsx');
  expect(markMatches('Año <nuevo>', ['ano', 'nuevo'])).toBe('<em>Año</em> &#60;<em>nuevo</em>&#62;');
  expect(markMatches('straße & Strasse', ['strasse'])).toBe('<em>straße</em> &#38; <em>Strasse</em>');
  expect(markMatches('vector.C++ (a|b) [c]', ['c++', 'a'])).toBe('vector.<em>C++</em> (<em>a</em>|b) [c]');
  expect(markMatches('plain', [])).toBe('plain');
  expect(markMatches('plain', [''])).toBe('plain');
});

test('plain and accented text are marked alike; the longer of two words wins', () => {
  const terms = ['harbour', 'harb', 'fee'];
  const plain = 'Harbourmaster: the harb fee of the HARBOUR';
  expect(markMatches(`${plain} é`, terms)).toBe(`${markMatches(plain, terms)} é`);
  expect(markMatches('aaa abab', ['aa', 'ab', 'abab'])).toBe('<em>aa</em>a <em>abab</em>');
  expect(markMatches(plain, terms)).toBe('<em>Harbour</em>master: the <em>harb</em> <em>fee</em> of the <em>HARBOUR</em>');
});

test('a snippet is cut where the most distinct words are close together', () => {
  const text = `${'mooring '.repeat(3)}${'filler '.repeat(200)}the mooring fee rises${' filler'.repeat(200)}`;
  const snippet = cutSnippet(text, ['mooring', 'fee']);
  expect(snippet).toContain('<em>mooring</em> <em>fee</em> rises');
  expect(snippet).toMatch(/^&#8230; .* &#8230;$/);
  // Only Latin-1: with any other character, the string of the whole response would take two bytes per character.
  expect(snippet).toMatch(/^[\x00-\xff]*$/);
  expect(cutSnippet('nothing here', ['absent'])).toBeNull();
});
