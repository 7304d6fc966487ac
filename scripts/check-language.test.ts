import { expect, test } from 'vitest';
import { catalogueProblems, sentencesOfFile } from './lib/sentences.mjs';

const outside = (source: string) => sentencesOfFile('page.tsx', source, new Set(['Firefox'])).outside;

test('text outside t() is found wherever people see it', () => {
  expect(outside('<p>Nothing found</p>')).toEqual(['page.tsx:1: Nothing found']);
  expect(outside('<Button aria-label="Close" className="big round button" />')).toEqual(['page.tsx:1: Close']);
  expect(outside("<p>{open ? 'open' : t('Closed')}</p>")).toEqual(['page.tsx:1: open']);
  expect(outside(`<p title={\`Edit \${name}\`}>{name}</p>`)).toEqual(['page.tsx:1: Edit']);
  expect(outside("toast('saved')")).toEqual(['page.tsx:1: saved']);
  expect(outside("const rows = [{ label: 'File type', value: 'kind' }];")).toEqual(['page.tsx:1: File type']);
  expect(outside("t('Edit {what}', { what: one || 'The first one' })")).toEqual(['page.tsx:1: The first one']);
  expect(outside('t(sentence)')).toEqual(['page.tsx:1: the sentence is not a literal']);
});

test('names, examples and what nobody sees need no translation', () => {
  expect(outside("const browser = test ? 'Firefox' : 'SHA-256'; if (kind === 'Large file') go('/data/photos');")).toEqual([]);
  expect(outside('<input placeholder="/mnt/photos" type="text" name="User name" />')).toEqual([]);
});

test('sentences are the arguments of t() and rich(), with both branches of a condition', () => {
  const { sentences } = sentencesOfFile(
    'page.tsx',
    "t(many ? 'All' : 'One'); rich('See <link>more</link>', { link: () => t('Help') });",
    new Set(),
  );
  expect([...sentences.keys()]).toEqual(['All', 'One', 'See <link>more</link>', 'Help']);
});

test('a catalogue must have every sentence, with its values and elements, and nothing else', () => {
  const sentences = new Map(['Cancel', 'Edit {name}', '<b>{n|# file|# files}</b>'].map((text) => [text, 'page.tsx:1']));
  const good = { Cancel: 'Abbrechen', 'Edit {name}': '{name} ändern', '<b>{n|# file|# files}</b>': '<b>{n|# Datei|# Dateien}</b>' };
  expect(catalogueProblems(good, sentences)).toEqual([]);
  const { Cancel: _, ...missing } = good;
  expect(catalogueProblems(missing, sentences)).toEqual(['lacks "Cancel" (page.tsx:1)']);
  expect(catalogueProblems({ ...good, 'Edit {name}': 'Ändern' }, sentences)).toEqual([
    'has other values or elements for "Edit {name}": "Ändern"',
  ]);
  expect(catalogueProblems({ ...good, '<b>{n|# file|# files}</b>': '<b>{n|# Dateien}</b>' }, sentences)).toEqual([
    'has a number with one form: "<b>{n|# Dateien}</b>"',
  ]);
  expect(catalogueProblems({ ...good, Old: 'Alt' }, sentences)).toEqual(['has "Old", which nothing uses']);
});
