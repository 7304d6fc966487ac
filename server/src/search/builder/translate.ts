import { inQuotes, phrases } from './phrases.ts';

/** Plain English translated into filters by rules. Text that no rule recognises stays as words. */
interface Translation {
  filters: string[];
  terms: string[];
}

const fillers = new Set(
  'a all also an and any are as at been called containing contain contains do every everything file files find for from get give have i in is it list look looking made me my named of on only or please search show some that the them there these they this those to want was were where which with you'.split(
    ' ',
  ),
);
const maxFilters = 12;

export function translate(text: string, now: Date): Translation {
  let rest = ` ${text.replaceAll('\0', ' ')} `;
  const quoted: string[] = [];
  const filters: string[] = [];
  for (const { pattern, toFilter } of phrases) {
    for (let match = pattern.exec(rest); match && filters.length < maxFilters; match = pattern.exec(rest)) {
      filters.push(toFilter(match, now));
      rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    }
  }
  // Quoted text is searched literally, unless a phrase such as "tagged" has used it.
  rest = rest.replace(/"([^"]+)"/g, (_, phrase: string) => {
    quoted.push(inQuotes(phrase));
    return ' ';
  });
  const terms = rest
    .split(/[\s,;!?]+/)
    .map((word) => word.replace(/^["'(.:]+|["').:]+$/g, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !fillers.has(word.toLowerCase()) && !/^(?:AND|OR|NOT)$/.test(word))
    .map((word) => (/^[-!~]|[:()"]/.test(word) ? inQuotes(word) : word));
  return { filters: mergeKinds([...new Set(filters)]), terms: [...quoted, ...terms] };
}

/** Several file types in one sentence are alternatives. */
function mergeKinds(filters: string[]): string[] {
  const alike = filters.filter((filter) => /^(?:kind|group|ext):/.test(filter));
  if (alike.length < 2) return filters;
  return [`(${alike.join(' OR ')})`, ...filters.filter((filter) => !alike.includes(filter))];
}
