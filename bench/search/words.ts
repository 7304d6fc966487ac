import { seeded } from './random.ts';

const onsets = [
  '',
  'b',
  'br',
  'c',
  'ch',
  'cl',
  'd',
  'dr',
  'f',
  'fl',
  'g',
  'gr',
  'h',
  'j',
  'k',
  'l',
  'm',
  'n',
  'p',
  'pl',
  'pr',
  'qu',
  'r',
  's',
  'sh',
  'sp',
  'st',
  'str',
  't',
  'th',
  'tr',
  'v',
  'w',
  'z',
];
const vowels = ['a', 'a', 'e', 'e', 'e', 'i', 'i', 'o', 'o', 'u', 'ai', 'ea', 'ee', 'io', 'ou', 'y'];
const codas = ['', '', '', 'b', 'ck', 'd', 'g', 'l', 'll', 'm', 'n', 'nd', 'ng', 'nt', 'p', 'r', 'rd', 'rt', 's', 'ss', 'st', 't', 'x'];
const endings = ['', '', '', 'ed', 'er', 'ing', 'ion', 'ly', 'ment', 'ness', 's', 's'];

/** 72,000 distinct lower-case words of 3 to 14 letters that look like a language: shared stems, shared endings. */
export function makeWords(count = 72_000): string[] {
  const random = seeded(0x5eed);
  const found = new Set<string>();
  while (found.size < count) {
    let word = '';
    for (let syllables = 1 + random.below(3); syllables > 0; syllables--)
      word += random.pick(onsets) + random.pick(vowels) + random.pick(codas);
    word += random.pick(endings);
    if (word.length >= 3 && word.length <= 14) found.add(word);
  }
  return [...found];
}
