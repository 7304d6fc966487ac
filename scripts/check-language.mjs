import { readFileSync } from 'node:fs';
import { catalogueProblems, consoleSentences, serverSentences } from './lib/sentences.mjs';

// Every text of the console is in t() or rich(), and every catalogue has each sentence with the same values and elements, and no other.
// `node scripts/check-language.mjs --missing de` prints what the German catalogue lacks as JSON, with the place of the first use.
const LANGUAGES = ['de', 'fr', 'es'];
/** Texts that stay as they are: names of browsers and systems, a script, the specimen of a font, and errors of the program itself. */
const IGNORED = new Set([
  ...['Firefox', 'Edge', 'Chrome', 'Safari', 'Android', 'Windows', 'Linux', 'Space'],
  ...["hold '", 'more', '. Nothing is deleted.', 'sha256', "' sha256", "' \\\n     '", 'The quick brown fox jumps over the lazy dog'],
  ...['index.html has no #root element', 'useSession outside the shell', '1px solid transparent'],
]);

/** A number before a plural needs a singular too: "{n|# file|# files}". These values are never 1. */
const COUNTED =
  /\{(\w+)\} (?:more )?(files|folders|results|groups|jobs|rules|people|libraries|lines|rows|entries|bytes|packages|agents|days|tags)\b/;
const NEVER_ONE = new Set(['most', 'max_rows', 'format', 'default_on_days', 'running']);
const onlyPlural = (text) => COUNTED.exec(text) && !NEVER_ONE.has(COUNTED.exec(text)[1]);

const { sentences, outside } = consoleSentences(IGNORED);
const all = new Map([...serverSentences(), ...sentences]);
const read = (language) => JSON.parse(readFileSync(`console/src/language/${language}.json`, 'utf8'));

if (process.argv[2] === '--missing') {
  const catalogue = read(process.argv[3]);
  console.log(JSON.stringify(Object.fromEntries([...all].filter(([text]) => !Object.hasOwn(catalogue, text))), null, 2));
} else {
  const broken = [
    ...outside.map((text) => `${text} (put it into t())`),
    ...[...sentences].filter(([text]) => onlyPlural(text)).map(([text, place]) => `${place}: "${text}" has no singular`),
    ...LANGUAGES.flatMap((language) => catalogueProblems(read(language), all).map((text) => `${language}.json ${text}`)),
  ];
  for (const line of broken.slice(0, 50)) console.log(line);
  console.log(`${sentences.size} sentences of the console and ${all.size - sentences.size} of the server; ${broken.length} problems.`);
  process.exit(broken.length > 0 ? 1 : 0);
}
