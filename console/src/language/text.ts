/*
 * The sentences of the console. An English sentence is its own key, so English needs no catalogue. `{name}` is replaced by a value and
 * `{n|# file|# files}` by one form of a number: the first form is the singular, the last the plural, `#` is the number itself. A catalogue may
 * give more than two forms, in the order zero, one, two, few, many, other of those that its language has.
 * scripts/check-language.mjs compares the sentences with the catalogues.
 */
import { sentences } from './load.ts';

type Placeholder<S extends string> = S extends `${string}{${infer Inside}}${infer Rest}` ? Inside | Placeholder<Rest> : never;
export type NameOf<P extends string> = P extends `${infer Name}|${string}` ? Name : P;
export type Values<S extends string, Plain> = { [P in Placeholder<S> as NameOf<P>]: P extends `${string}|${string}` ? number : Plain };

/** What a value can be; null and undefined are left out, as in JSX. */
type Value = string | number | null | undefined;
type Arguments<S extends string> = [Placeholder<S>] extends [never] ? [] : [values: Values<S, Value>];

const plurals = new Intl.PluralRules(sentences.locale);
const numbers = new Intl.NumberFormat(sentences.locale);

export const locale = (): string => sentences.locale;

export const translated = (text: string): string => (Object.hasOwn(sentences.catalogue, text) && sentences.catalogue[text]) || text;
export const bracket = (text: string): string => (sentences.bracketed && /\p{L}/u.test(text) ? `[${text}]` : text);

export const formatNumber = (n: number): string => numbers.format(n);

/** The form for a number, with the number in place of `#`. */
export function pluralForm(forms: readonly string[], n: number, rules = plurals): string {
  const category = rules.select(n);
  const at = forms.length > 2 ? rules.resolvedOptions().pluralCategories.indexOf(category) : category === 'one' ? 0 : 1;
  return (forms[at] ?? forms.at(-1) ?? '').replace('#', formatNumber(n));
}

const PLACEHOLDER = /\{(\w+)(?:\|([^}]*))?\}/g;

/** A sentence in the chosen language. */
export function t<const S extends string>(text: S, ...[values]: Arguments<S>): string {
  const sentence = translated(text);
  if (!values) return bracket(sentence);
  const filled = sentence.replace(PLACEHOLDER, (_, name: string, forms: string | undefined) => {
    const value = (values as Record<string, Value>)[name];
    if (typeof value === 'number') return forms === undefined ? formatNumber(value) : pluralForm(forms.split('|'), value);
    return value ?? '';
  });
  return bracket(filled);
}

/** The sentences of the server with values, which are numbered in the catalogues; those with the most words first. */
function compileServerSentences(): { pattern: RegExp; sentence: string }[] {
  return Object.entries(sentences.catalogue)
    .filter(([text]) => text.includes('{1}'))
    .sort(([a], [b]) => b.length - a.length)
    .map(([text, sentence]) => ({
      pattern: new RegExp(`^${text.replace(/[.*+?^$|()[\]\\]/g, '\\$&').replace(/\{\d\}/g, '(.*)')}$`, 's'),
      sentence,
    }));
}
let serverSentences: ReturnType<typeof compileServerSentences> | undefined;

/** A sentence of the server in the chosen language. One that is not in the catalogues stays English. */
export const serverText = (text: string): string => bracket(translateServerText(text));

function translateServerText(text: string): string {
  if (Object.hasOwn(sentences.catalogue, text)) return translated(text);
  serverSentences ??= compileServerSentences();
  for (const { pattern, sentence } of serverSentences) {
    const values = pattern.exec(text);
    // A value may be a sentence itself: "The scan of Photos failed. The folder /photos cannot be read."
    if (values)
      return sentence.replace(/\{(\d)\}/g, (_, at: string) => {
        const value = values[Number(at)] ?? '';
        return /^\p{Lu}.*[.?]$/su.test(value) && value !== text ? translateServerText(value) : value;
      });
  }
  return text;
}

/** A label inside a sentence: "Network address" in "Copy network address". German nouns keep their capital. */
export const inSentence = (label: string): string =>
  sentences.language === 'de' || !/^\p{Lu}\p{Ll}/u.test(label)
    ? label
    : label.charAt(0).toLocaleLowerCase(sentences.locale) + label.slice(1);
