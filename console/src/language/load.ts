import de from './de.json?url';
import es from './es.json?url';
import fr from './fr.json?url';

/** The languages of the console by their own names. */
export const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' } as const;
export type Language = keyof typeof LANGUAGES;

export interface Sentences {
  language: Language;
  /** The language with a region, for dates, numbers and sort order. */
  locale: string;
  /** Translations by English sentence; empty for English. */
  catalogue: Record<string, string>;
  /** Puts brackets around every sentence, so that a test sees text that is not in the catalogues. */
  bracketed: boolean;
}

/** For tests only: English in brackets, from right to left. */
const PSEUDO = 'pseudo';
const KEY = 'catalog.language';
const CATALOGUES: Record<Exclude<Language, 'en'>, string> = { de, es, fr };

const isLanguage = (value: string | null | undefined): value is Language => !!value && value in LANGUAGES;

function stored(): string | null {
  try {
    return localStorage.getItem(KEY);
  } catch {
    // Storage is disabled: the browser's language is used.
    return null;
  }
}

/** The language that was chosen in this browser, or null for the browser's own. */
export function chosenLanguage(): Language | null {
  const choice = stored();
  return isLanguage(choice) ? choice : null;
}

/** Keeps the choice in this browser and loads the console again, because sentences are kept in constants. */
export function chooseLanguage(language: Language | null): void {
  if (language) localStorage.setItem(KEY, language);
  else localStorage.removeItem(KEY);
  window.location.reload();
}

/** The first of the browser's languages that the console has, with the browser's region for it: de-AT formats dates as Austria does. */
export function resolveLanguage(choice: string | null, browser: readonly string[]): { language: Language; locale: string } {
  const base = (tag: string) => tag.split('-')[0]?.toLowerCase();
  const language = isLanguage(choice) ? choice : (browser.map(base).find(isLanguage) ?? 'en');
  return { language, locale: browser.find((tag) => base(tag) === language) ?? language };
}

/** The last catalogue that was fetched, with its address, which changes with its content. */
const KEPT = 'catalog.sentences';

function keptCatalogue(url: string): Record<string, string> | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? 'null') as { url: string; catalogue: Record<string, string> } | null;
    return kept?.url === url ? kept.catalogue : null;
  } catch {
    return null;
  }
}

const choice = stored();
const bracketed = choice === PSEUDO;
const wanted = resolveLanguage(bracketed ? 'en' : choice, navigator.languages);
const kept = wanted.language === 'en' ? {} : keptCatalogue(CATALOGUES[wanted.language]);

/** Known as soon as this module is loaded, because others keep sentences and formats in constants. English without a catalogue. */
export const sentences: Sentences = kept
  ? { ...wanted, catalogue: kept, bracketed }
  : { ...resolveLanguage('en', navigator.languages), catalogue: {}, bracketed: false };

/** Whether a catalogue was fetched and kept, so that the console must be loaded again to use it. Without one the console is English. */
export async function fetchedCatalogue(): Promise<boolean> {
  document.documentElement.lang = sentences.language;
  document.documentElement.dir = sentences.bracketed ? 'rtl' : 'ltr';
  if (wanted.language === sentences.language) return false;
  const url = CATALOGUES[wanted.language as keyof typeof CATALOGUES];
  try {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`HTTP ${response.status}`);
    localStorage.setItem(KEPT, JSON.stringify({ url, catalogue: await response.json() }));
    return keptCatalogue(url) !== null;
  } catch (error) {
    console.error('The catalogue of the language could not be loaded.', error);
    return false;
  }
}
