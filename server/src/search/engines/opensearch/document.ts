import { caseFold, type Document, type FieldValue, type Schema, tokenize } from '@catalog/engine';
import { locatedField, wholeField, wordsField } from './mapping.ts';
import { storedVector } from './vectors.ts';

/** Longer values are neither compared as a whole nor sorted beyond this length. */
const maxWholeTokens = 16;
const maxSortLength = 1000;

/** A document as it is stored: tokenised texts, the folders of its path, and the values that ranking and suggestions need. */
export function storedDocument(document: Document, schema: Schema): Record<string, unknown> {
  const stored: Record<string, unknown> = { id: document.id, fingerprint: document.fingerprint ?? '' };
  const whole: string[] = [];
  const words = new Set<string>();
  for (const { name, infix } of schema.text) {
    const values = textsOf(document[name]);
    if (values.length === 0) continue;
    const tokenised = values.map(tokensOf);
    stored[name] = tokenised.map(({ positions }) => positions.map((terms) => terms.join('|')).join(' '));
    const all = tokenised.flatMap(({ words: each }) => each);
    if (all.length > 0 && all.length <= maxWholeTokens) whole.push(...wholeValues(name, all));
    if (infix) for (const word of all) words.add(word);
  }
  for (const { name } of schema.keyword) {
    const values = textsOf(document[name]);
    if (values.length > 0) stored[name] = values;
  }
  for (const name of schema.number) {
    const value = document[name];
    if (typeof value === 'number' && Number.isFinite(value)) stored[name] = value;
  }
  for (const name of schema.sortable) {
    const [value] = textsOf(document[name]);
    if (value !== undefined)
      stored[name] = `${caseFold(value).slice(0, maxSortLength)}\u{1}${value.slice(0, maxSortLength)}`.toWellFormed();
  }
  const point = schema.geo ? document[schema.geo] : null;
  if (schema.geo && point && typeof point === 'object' && 'lat' in point) {
    stored[schema.geo] = { lat: point.lat, lon: point.lng };
    stored[locatedField] = 1;
  }
  const path = schema.scope ? document[schema.scope] : null;
  if (schema.scope && typeof path === 'string') stored[schema.scope] = foldersOf(path.toWellFormed());
  stored[wholeField] = whole;
  stored[wordsField] = [...words];
  return Object.assign(stored, storedVector(document, schema));
}

/** The values by which a text is compared with all words of a query: in the order of the text, and sorted. */
export function wholeValues(field: string, words: readonly string[]): [inOrder: string, sorted: string] {
  return [`${field}:${words.join(' ')}`, `${field}=${[...words].sort().join(' ')}`];
}

function tokensOf(text: string): { positions: string[][]; words: string[] } {
  const positions: string[][] = [];
  const words: string[] = [];
  for (const { term, position, extra } of tokenize(text)) {
    positions[position] ??= [];
    positions[position].push(term);
    if (!extra) words.push(term);
  }
  return { positions, words };
}

function textsOf(value: FieldValue): string[] {
  const values = typeof value === 'string' ? [value] : Array.isArray(value) ? (value as readonly unknown[]) : [];
  return values.filter((each): each is string => typeof each === 'string').map((each) => each.toWellFormed());
}

function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
