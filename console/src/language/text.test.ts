import { render } from '@testing-library/react';
import { createElement, type ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { resolveLanguage } from './load.ts';

afterEach(() => {
  localStorage.clear();
  vi.unstubAllGlobals();
  vi.resetModules();
});

/** Loads the modules as the console does after a language was chosen; its catalogue is the given one. */
async function choose(language: string, catalogue: Record<string, string> | null = {}) {
  localStorage.setItem('catalog.language', language);
  vi.stubGlobal('fetch', async () => (catalogue ? Response.json(catalogue) : new Response(null, { status: 503 })));
  vi.resetModules();
  // A language other than English loads the console again once it has its catalogue.
  if (await (await import('./load.ts')).fetchedCatalogue()) {
    vi.resetModules();
    await (await import('./load.ts')).fetchedCatalogue();
  }
  return import('./text.ts');
}

test('a sentence has its values, and numbers are written as the language writes them', async () => {
  const english = await choose('en');
  expect(english.t('{done} of {total|# file|# files}', { done: 1200, total: 1 })).toBe('1,200 of 1 file');
  const { t } = await choose('de', { '{done} of {total|# file|# files}': '{done} von {total|# Datei|# Dateien}' });
  expect(t('{done} of {total|# file|# files}', { done: 1200, total: 3 })).toBe('1.200 von 3 Dateien');
  expect(document.documentElement.lang).toBe('de');
});

test('plurals follow the rules of the language', async () => {
  const english = await choose('en');
  expect(english.t('{n|# file|# files}', { n: 0 })).toBe('0 files');
  const { pluralForm, t } = await choose('fr', { '{n|# file|# files}': '{n|# fichier|# fichiers}' });
  expect(t('{n|# file|# files}', { n: 0 })).toBe('0 fichier');
  const polish = ['# plik', '# pliki', '# plików', '# pliku'];
  expect([1, 3, 5].map((n) => pluralForm(polish, n, new Intl.PluralRules('pl')))).toEqual(['1 plik', '3 pliki', '5 plików']);
});

test('a sentence that a catalogue lacks is English', async () => {
  const { serverText, t } = await choose('de', { Cancel: 'Abbrechen' });
  expect([t('Cancel'), t('Continue'), serverText('constructor')]).toEqual(['Abbrechen', 'Continue', 'constructor']);
});

test('the console is English if the catalogue cannot be loaded', async () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { locale, t } = await choose('de', null);
  expect([t('Cancel'), locale(), document.documentElement.lang]).toEqual(['Cancel', 'en-US', 'en']);
  expect(reported).toHaveBeenCalledOnce();
});

test('elements can stand anywhere in a sentence', async () => {
  await choose('de', { 'Open {name}. <link>Add {n|one|#}</link>': '<link>{n|Eine|#} hinzufügen</link>, {name} öffnen' });
  const { rich } = await import('./rich.ts');
  const link = (text: ReactNode) => createElement('a', { href: '#/' }, text);
  const { container } = render(rich('Open {name}. <link>Add {n|one|#}</link>', { name: createElement('b', null, 'A'), n: 4, link }));
  expect(container.innerHTML).toBe('<a href="#/">4 hinzufügen</a>, <b>A</b> öffnen');
});

test('a label inside a sentence begins with a small letter, but not in German', async () => {
  const english = await choose('en');
  expect([english.inSentence('Network address'), english.inSentence('SHA-256')]).toEqual(['network address', 'SHA-256']);
  const { inSentence } = await choose('de');
  expect(inSentence('Netzwerkadresse')).toBe('Netzwerkadresse');
});

test('the language is the chosen one, else the first of the browser that the console has', () => {
  expect(resolveLanguage(null, ['ja', 'de-AT', 'en'])).toEqual({ language: 'de', locale: 'de-AT' });
  expect(resolveLanguage('fr', ['de-AT', 'en-GB'])).toEqual({ language: 'fr', locale: 'fr' });
  expect(resolveLanguage('unknown', ['ja'])).toEqual({ language: 'en', locale: 'en' });
});

test('dates, durations, sizes, lists and the order of names follow the language', async () => {
  await choose('de', { 'today {time}': 'heute, {time}' });
  const { formatDate, formatRecent } = await import('../format/dates.ts');
  const { formatBytes, formatDuration } = await import('../format/numbers.ts');
  const { compareNames, orList } = await import('../format/lists.ts');
  const { WEEKDAYS } = await import('../pages/schedules/cron-words.ts');
  const noon = new Date(2023, 10, 3, 12, 5);
  expect(formatDate(noon)).toBe('3. Nov. 2023');
  expect(formatRecent(noon, noon)).toBe('heute, 12:05');
  expect([formatBytes(8_412_338), formatDuration(2.5)]).toEqual(['8,4 MB', '2,5 s']);
  expect(orList(['Fotos', 'Studio'])).toBe('Fotos oder Studio');
  expect(['Zoo', 'Ärger', 'Disk 10', 'Disk 2'].sort(compareNames)).toEqual(['Ärger', 'Disk 2', 'Disk 10', 'Zoo']);
  expect(WEEKDAYS[1]).toBe('Montag');
});

test('sizes and dates can be typed as the language writes them', async () => {
  await choose('fr');
  const { parseDay } = await import('../components/parse-day.ts');
  const { parseSize } = await import('../components/range-histogram.tsx');
  const { formatBytes } = await import('../format/numbers.ts');
  const { formatDate } = await import('../format/dates.ts');
  const day = new Date(2023, 5, 14).getTime() / 1000;
  expect(parseSize(formatBytes(1_500_000))).toBe(1_500_000);
  expect(parseDay(formatDate(day))).toBe(day);
  expect(parseDay('06/05/2023')).toBe(new Date(2023, 4, 6).getTime() / 1000);
});

test('a day in digits has the order of the language', async () => {
  for (const [language, typed] of [
    ['de', '6.5.2023'],
    ['es', '06/05/2023'],
  ] as const) {
    await choose(language);
    const { parseDay } = await import('../components/parse-day.ts');
    expect(parseDay(typed)).toBe(new Date(2023, 4, 6).getTime() / 1000);
  }
});

test('September can be typed with three letters also where its short name has four', async () => {
  const languages = vi.spyOn(navigator, 'languages', 'get').mockReturnValue(['en-GB']);
  for (const [language, typed] of [
    ['en', ['14 Sep 2023', '14 Sept 2023', '14 September 2023']],
    ['es', ['14 sep 2023', '14 de septiembre de 2023']],
  ] as const) {
    await choose(language);
    const { parseDay } = await import('../components/parse-day.ts');
    for (const text of typed) expect(parseDay(text), text).toBe(new Date(2023, 8, 14).getTime() / 1000);
  }
  languages.mockRestore();
});

test('a sentence of the server with values is translated, and one that is not known stays as it is', async () => {
  const { serverText } = await choose('de', {
    'There is no preset "{1}".': 'Es gibt keine Vorlage „{1}“.',
    'There is no preset "{1}". Choose from: {2}.': 'Es gibt keine Vorlage „{1}“. Zur Wahl stehen: {2}.',
  });
  expect(serverText('There is no preset "a (b)+".')).toBe('Es gibt keine Vorlage „a (b)+“.');
  expect(serverText('There is no preset "$&". Choose from: x, y.')).toBe('Es gibt keine Vorlage „$&“. Zur Wahl stehen: x, y.');
  expect(serverText('The disk is full.')).toBe('The disk is full.');
});
