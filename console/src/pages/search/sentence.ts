import { tokenize } from './query-text.ts';

/** Words that say how big, how old or of what kind; a search for names seldom has them. */
const TELLING =
  /\b(larger|bigger|smaller|heavier|longer|shorter|older|newer|than|between|before|after|since|until|last|this|past|today|yesterday|recent|recently|spring|summer|autumn|winter|january|february|march|april|may|june|july|august|september|october|november|december|tagged|untagged|without|from|over|under|at least|at most|ago|huge|large|small|tiny|missing|deleted|broken|photos?|pictures?|images?|videos?|movies?|songs?|music|documents?|pdfs?|spreadsheets?|presentations?|archives?|e-?mails?|\d+\s*(k|m|g|t)i?b)\b/gi;

const SHORTEST = 3;

/** Whether what is typed reads like a sentence about files rather than words to be found. Nothing of the filter language is in it yet. */
export function looksLikeSentence(q: string): boolean {
  const tokens = tokenize(q.trim());
  if (tokens.length < SHORTEST || tokens.some((token) => token.key || token.operator || token.negated || token.text.startsWith('"')))
    return false;
  const telling = new Set([...q.matchAll(TELLING)].map((match) => match[0].toLowerCase()));
  return telling.size >= 2;
}
