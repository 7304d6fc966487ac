import { phrases } from './phrases.ts';

/** Plain English as a line of the filter language, by rules alone. What no rule knows stays as words. */
export interface Translation {
  filters: string[];
  terms: string[];
}

const fillers = new Set(
  'a all also an and any are as at been called containing contain contains do every everything file files find for from get give have i in is it list look looking made me my named of on only or please search show some that the them there these they this those to want was were where which with you'.split(
    ' ',
  ),
);
const mostFilters = 12;

export function translate(text: string, now: Date): Translation {
  let rest = ` ${text.replaceAll('\0', ' ')} `;
  const kept: string[] = [];
  // What stands in quotes is meant word for word, unless a rule such as "tagged" asks for it.
  const filters: string[] = [];
  for (const { pattern, toFilter: say } of phrases) {
    for (let match = pattern.exec(rest); match && filters.length < mostFilters; match = pattern.exec(rest)) {
      filters.push(say(match, now));
      rest = `${rest.slice(0, match.index)} ${rest.slice(match.index + match[0].length)}`;
    }
  }
  rest = rest.replace(/"([^"]+)"/g, (_, phrase: string) => {
    kept.push(`"${phrase}"`);
    return ' ';
  });
  const terms = rest
    .split(/[\s,;!?]+/)
    .map((word) => word.replace(/^["'(.:]+|["').:]+$/g, ''))
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !fillers.has(word.toLowerCase()) && !/^(?:AND|OR|NOT)$/.test(word))
    .map((word) => (/^[-!~]|[:()"]/.test(word) ? `"${word.replaceAll('"', '')}"` : word));
  return { filters: mergeKinds([...new Set(filters)]), terms: [...kept, ...terms] };
}

/** Two kinds named side by side mean either of them. */
function mergeKinds(filters: string[]): string[] {
  const alike = filters.filter((filter) => /^(?:kind|group|ext):/.test(filter));
  if (alike.length < 2) return filters;
  return [`(${alike.join(' OR ')})`, ...filters.filter((filter) => !alike.includes(filter))];
}
