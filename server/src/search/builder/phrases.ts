// biome-ignore-all lint/style/noNonNullAssertion: a phrase reads only groups that its own pattern always captures
/** Converts spoken dates to filter values. All dates are UTC; seasons are those of the northern hemisphere. */
const months = ['january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december'];
const monthNames = `${months.join('|')}|${months.map((name) => name.slice(0, 3)).join('|')}|sept`;

const seasonStarts: Record<string, number> = { spring: 2, summer: 5, autumn: 8, fall: 8, winter: 11 };

function monthNumber(name: string): number {
  return months.findIndex((each) => each.startsWith(name.toLowerCase().slice(0, 3))) + 1;
}

const two = (value: number): string => String(value).padStart(2, '0');

function monthText(year: number, month: number): string {
  return `${year}-${two(month)}`;
}

/** The latest season of this name that has begun ("this") or ended ("last"), or that of the given year. */
function seasonRange(season: string, now: Date, which: 'last' | 'this' | number): string {
  const first = seasonStarts[season.toLowerCase()] ?? 0;
  const start = (year: number) => new Date(Date.UTC(year, first, 1));
  const end = (year: number) => new Date(Date.UTC(year, first + 3, 1));
  let year = typeof which === 'number' ? which : now.getUTCFullYear();
  if (which === 'last') while (end(year) > now) year -= 1;
  if (which === 'this') while (start(year) > now) year -= 1;
  return `${dayText(start(year))}..${dayText(new Date(end(year).getTime() - 86_400_000))}`;
}

/** The current calendar week, month or year, or the one before it. */
function calendarRange(unit: string, now: Date, which: 'last' | 'this'): string {
  const back = which === 'last' ? 1 : 0;
  if (unit === 'year') return String(now.getUTCFullYear() - back);
  if (unit === 'month') {
    const start = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - back, 1));
    return monthText(start.getUTCFullYear(), start.getUTCMonth() + 1);
  }
  const monday = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() - ((now.getUTCDay() + 6) % 7) - 7 * back));
  return `${dayText(monday)}..${dayText(new Date(monday.getTime() + 6 * 86_400_000))}`;
}

function dayText(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** One phrase that means a filter. The match is removed from the text; what remains is searched as words. */
interface Phrase {
  pattern: RegExp;
  toFilter(match: RegExpExecArray, now: Date): string;
}

const units: Record<string, string> = {
  b: '',
  byte: '',
  bytes: '',
  k: 'k',
  kb: 'k',
  kib: 'k',
  m: 'm',
  mb: 'm',
  mib: 'm',
  megabytes: 'm',
  megabyte: 'm',
  meg: 'm',
  megs: 'm',
  kilobytes: 'k',
  g: 'g',
  gb: 'g',
  gib: 'g',
  gigabyte: 'g',
  gigabytes: 'g',
  gigs: 'g',
  gig: 'g',
  t: 't',
  tb: 't',
  terabytes: 't',
  terabyte: 't',
};
const unit = Object.keys(units)
  .sort((a, b) => b.length - a.length)
  .join('|');
const size = `(\\d+(?:\\.\\d+)?)\\s*(${unit})`;
const more = '(?:larger|bigger|greater|more|heavier|over|above)(?:\\s+than)?';
const less = '(?:smaller|less|lighter|under|below)(?:\\s+than)?';
const bytes = (amount: string, name: string): string => `${amount}${units[name.toLowerCase()]}`;

const age: Record<string, string> = { day: 'd', week: 'w', month: 'mo', year: 'y', hour: 'h', minute: 'm' };
const ago = '(\\d+|a|an|one|two|three)\\s+(day|week|month|year|hour|minute)s?';
const count = (word: string): string => ({ a: '1', an: '1', one: '1', two: '2', three: '3' })[word.toLowerCase()] ?? word;
const span = (amount: string, name: string): string => `${count(amount)}${age[name.toLowerCase()]}`;
const when = '(?:modified|changed|edited|taken|made|created|written|dated)?\\s*';
const day = '(\\d{4}(?:-\\d{2}){0,2})';
const seasons = '(spring|summer|autumn|fall|winter)';

/** Ordered: longer phrases come before shorter ones that they contain. */
const quantityPhrases: Phrase[] = [
  {
    pattern: new RegExp(`between\\s+${size}\\s+and\\s+${size}\\b`, 'i'),
    toFilter: (m) => `size:${bytes(m[1]!, m[2]!)}..${bytes(m[3]!, m[4]!)}`,
  },
  {
    pattern: new RegExp(`between\\s+(\\d+)\\s+and\\s+${size}\\b`, 'i'),
    toFilter: (m) => `size:${bytes(m[1]!, m[3]!)}..${bytes(m[2]!, m[3]!)}`,
  },
  { pattern: new RegExp(`${more}\\s+${size}\\b`, 'i'), toFilter: (m) => `size:>${bytes(m[1]!, m[2]!)}` },
  { pattern: new RegExp(`${less}\\s+${size}\\b`, 'i'), toFilter: (m) => `size:<${bytes(m[1]!, m[2]!)}` },
  { pattern: new RegExp(`at\\s+least\\s+${size}\\b`, 'i'), toFilter: (m) => `size:>=${bytes(m[1]!, m[2]!)}` },
  { pattern: new RegExp(`at\\s+most\\s+${size}\\b`, 'i'), toFilter: (m) => `size:<=${bytes(m[1]!, m[2]!)}` },
  { pattern: /\b(?:longer|over)\s+than\s+(\d+)\s*(second|minute|hour)s?\b/i, toFilter: (m) => `meta.duration:>${seconds(m)}` },
  { pattern: /\bshorter\s+than\s+(\d+)\s*(second|minute|hour)s?\b/i, toFilter: (m) => `meta.duration:<${seconds(m)}` },
  { pattern: /\b(?:huge|enormous)\b/i, toFilter: () => 'size:>1g' },
  { pattern: /\b(?:large|big)\b/i, toFilter: () => 'size:>100m' },
  { pattern: /\b(?:tiny|small)\b/i, toFilter: () => 'size:<100k' },
  { pattern: /\bempty\b/i, toFilter: () => 'size:0' },
  { pattern: /\b(?:4k|uhd|ultra[ -]?hd)\b/i, toFilter: () => 'meta.width:>=3840' },
  { pattern: /\b(?:full[ -]?hd|1080p)\b/i, toFilter: () => 'meta.width:>=1920' },
];

function seconds(match: RegExpExecArray): number {
  return Number(match[1]) * { second: 1, minute: 60, hour: 3600 }[match[2]!.toLowerCase() as 'second' | 'minute' | 'hour'];
}

const datePhrases: Phrase[] = [
  {
    pattern: new RegExp(`${when}(?:in\\s+|from\\s+|during\\s+)?(?:the\\s+)?(last|this)\\s+${seasons}\\b`, 'i'),
    toFilter: (m, now) => `modified:${seasonRange(m[2]!, now, m[1]!.toLowerCase() as 'last')}`,
  },
  {
    pattern: new RegExp(`${when}(?:in\\s+|from\\s+)?(?:the\\s+)?${seasons}\\s+(?:of\\s+)?(\\d{4})\\b`, 'i'),
    toFilter: (m, now) => `modified:${seasonRange(m[1]!, now, Number(m[2]))}`,
  },
  { pattern: new RegExp(`older\\s+than\\s+${ago}\\b`, 'i'), toFilter: (m) => `modified:>${span(m[1]!, m[2]!)}` },
  { pattern: new RegExp(`(?:newer|younger)\\s+than\\s+${ago}\\b`, 'i'), toFilter: (m) => `modified:<${span(m[1]!, m[2]!)}` },
  {
    pattern: new RegExp(`${when}(?:in|within|from|during)\\s+the\\s+(?:last|past)\\s+${ago}\\b`, 'i'),
    toFilter: (m) => `modified:<${span(m[1]!, m[2]!)}`,
  },
  { pattern: new RegExp(`more\\s+than\\s+${ago}\\s+ago\\b`, 'i'), toFilter: (m) => `modified:>${span(m[1]!, m[2]!)}` },
  {
    pattern: new RegExp(`${when}(?:in\\s+|from\\s+)?(last|this)\\s+(week|month|year)\\b`, 'i'),
    toFilter: (m, now) => `modified:${calendarRange(m[2]!.toLowerCase(), now, m[1]!.toLowerCase() as 'last')}`,
  },
  { pattern: new RegExp(`${when}(?:from\\s+)?(today|yesterday)\\b`, 'i'), toFilter: (m) => `modified:${m[1]!.toLowerCase()}` },
  {
    pattern: new RegExp(`${when}(?:between|from)\\s+${day}\\s+(?:and|to|until)\\s+${day}\\b`, 'i'),
    toFilter: (m) => `modified:${m[1]}..${m[2]}`,
  },
  { pattern: new RegExp(`${when}(?:since|from)\\s+${day}\\s+on(?:wards?)?\\b`, 'i'), toFilter: (m) => `modified:>=${m[1]}` },
  { pattern: new RegExp(`${when}since\\s+${day}\\b`, 'i'), toFilter: (m) => `modified:>=${m[1]}` },
  { pattern: new RegExp(`${when}(?:before|older\\s+than)\\s+${day}\\b`, 'i'), toFilter: (m) => `modified:<${m[1]}` },
  { pattern: new RegExp(`${when}(?:after|newer\\s+than)\\s+${day}\\b`, 'i'), toFilter: (m) => `modified:>${m[1]}` },
  {
    pattern: new RegExp(`${when}(before|after|since)\\s+(${monthNames})\\s+(\\d{4})\\b`, 'i'),
    toFilter: (m) =>
      `modified:${{ before: '<', after: '>', since: '>=' }[m[1]!.toLowerCase()]}${monthText(Number(m[3]), monthNumber(m[2]!))}`,
  },
  {
    pattern: new RegExp(`${when}(?:in\\s+|from\\s+)?(${monthNames})\\s+(\\d{4})\\b`, 'i'),
    toFilter: (m) => `modified:${monthText(Number(m[2]), monthNumber(m[1]!))}`,
  },
  {
    pattern: new RegExp(`${when}(?:in|from|during)\\s+(${monthNames})\\b`, 'i'),
    toFilter: (m, now) => `modified:${lastMonthNamed(m[1]!, now)}`,
  },
  { pattern: new RegExp(`${when}(?:in|from|of|during)\\s+${day}\\b`, 'i'), toFilter: (m) => `modified:${m[1]}` },
  { pattern: /\b(?:recent(?:ly)?|new)\b/i, toFilter: () => 'modified:<30d' },
];

function lastMonthNamed(name: string, now: Date): string {
  const month = monthNumber(name);
  return monthText(month > now.getUTCMonth() + 1 ? now.getUTCFullYear() - 1 : now.getUTCFullYear(), month);
}

const quotedOrWord = '(?:"([^"]+)"|([\\p{L}\\p{N}_-]+))';
const value = (match: RegExpExecArray, at = 1): string => inQuotes(match[at] ?? match[at + 1]!);

/** A text that the filter language takes literally. A backslash there escapes a quote. */
export const inQuotes = (text: string): string => `"${text.replaceAll('"', '').replaceAll('\\', '\\\\')}"`;

const propertyPhrases: Phrase[] = [
  {
    pattern: new RegExp(`(?:not\\s+tagged|without\\s+(?:the\\s+)?tag)\\s+(?:with\\s+|as\\s+)?${quotedOrWord}`, 'iu'),
    toFilter: (m) => `-tag:${value(m)}`,
  },
  { pattern: /\b(?:untagged|without\s+(?:any\s+)?tags)\b/i, toFilter: () => '-has:tags' },
  {
    pattern: new RegExp(`(?:tagged|with\\s+(?:the\\s+)?tag)\\s+(?:with\\s+|as\\s+)?${quotedOrWord}`, 'iu'),
    toFilter: (m) => `tag:${value(m)}`,
  },
  { pattern: new RegExp(`in\\s+(?:the\\s+)?library\\s+${quotedOrWord}`, 'iu'), toFilter: (m) => `library:${value(m)}` },
  { pattern: /(?:in|under|below)\s+(?:the\s+)?folder\s+(?:"([^"]+)"|(\S+))/iu, toFilter: (m) => `path:${value(m)}` },
  { pattern: /\b(?:broken|corrupt(?:ed)?|damaged|with\s+errors?)\b/i, toFilter: () => 'has:error' },
  { pattern: /\bmissing\b/i, toFilter: () => 'is:missing' },
  { pattern: /\b(?:deleted|trashed|in\s+the\s+(?:trash|recycle\s+bin))\b/i, toFilter: () => 'is:trashed' },
];

const kinds: [names: string, filter: string][] = [
  ['raw (?:photos?|images?|pictures?)', 'group:raw-photo'],
  ['(?:vector (?:images?|graphics?)|vectors|svgs)', 'group:vector-image'],
  ['(?:photoshop files?|layered images?)', 'group:layered-image'],
  ['(?:photos?|photographs?|pictures?|pics?|images?)', 'kind:image'],
  ['(?:videos?|movies?|films?|clips?)', 'kind:video'],
  ['audio ?books?', 'group:audiobook'],
  ['(?:songs?|music|audio(?: files?)?|recordings?)', 'kind:audio'],
  ['(?:spreadsheets?|excel files?)', 'group:spreadsheet'],
  ['(?:presentations?|slides|slide decks?|powerpoints?)', 'group:presentation'],
  ['(?:e-?books?)', 'group:ebook'],
  ['comics?', 'group:comic'],
  ['pdfs?(?: files?)?', 'ext:pdf'],
  ['word (?:documents?|files?)', 'ext:doc;docx'],
  ['(?:documents?|docs|papers?)', 'kind:document'],
  ['(?:archives?|zips?|zip files?)', 'kind:archive'],
  ['fonts?', 'group:font'],
  ['(?:3d models?|3d files?)', 'group:3d-model'],
  ['(?:cad (?:files?|drawings?))', 'group:cad'],
  ['(?:source code|code files?)', 'group:source-code'],
  ['(?:e-?mails?|messages?)', 'group:email'],
  ['(?:databases?)', 'group:database'],
  ['(?:disk images?|isos?)', 'group:disk-image'],
  ['(?:installers?|packages?)', 'group:package-installer'],
];

const words: Phrase[] = [
  { pattern: /(?<![\p{L}\p{N}])\.([a-z0-9]{1,8})(?:\s+files?)?(?![\p{L}\p{N}])/iu, toFilter: (m) => `ext:${m[1]!.toLowerCase()}` },
  {
    pattern:
      /\b(jpe?g|png|gif|tiff?|heic|webp|psd|svg|mp3|flac|wav|m4a|ogg|mp4|mkv|mov|avi|docx?|xlsx?|pptx?|txt|csv|json|xml|epub|stl|obj|iso|dmg|exe)s?(?:\s+files?)?\b/i,
    toFilter: (m) => `ext:${m[1]!.toLowerCase()}`,
  },
  ...kinds.map(([names, filter]): Phrase => ({ pattern: new RegExp(`\\b${names}\\b`, 'i'), toFilter: () => filter })),
];

export const phrases: Phrase[] = [
  ...propertyPhrases,
  ...quantityPhrases.slice(0, 8),
  ...datePhrases.slice(0, -1),
  ...quantityPhrases.slice(8),
  ...words,
  datePhrases.at(-1)!,
];
