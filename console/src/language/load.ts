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

async function load(choice: string | null): Promise<Sentences> {
  const bracketed = choice === PSEUDO;
  const resolved = resolveLanguage(bracketed ? 'en' : choice, navigator.languages);
  if (resolved.language === 'en') return { ...resolved, catalogue: {}, bracketed };
  const response = await fetch(CATALOGUES[resolved.language]);
  if (!response.ok) throw new Error(`HTTP ${response.status}`);
  return { ...resolved, catalogue: (await response.json()) as Record<string, string>, bracketed };
}

/** The sentences of the chosen language, or English ones if its catalogue cannot be loaded. */
export async function loadSentences(): Promise<Sentences> {
  const sentences = await load(stored()).catch((error: unknown) => {
    console.error('The catalogue of the language could not be loaded.', error);
    return load('en');
  });
  document.documentElement.lang = sentences.language;
  document.documentElement.dir = sentences.bracketed ? 'rtl' : 'ltr';
  return sentences;
}
