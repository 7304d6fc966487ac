import type { EmbeddedAs } from './port.ts';

/** How a family of models expects its input, and how the vectors of tokens become one vector. */
interface Family {
  query: string;
  passage: string;
  pooling: 'mean' | 'first';
}

const instruction = 'Represent this sentence for searching relevant passages: ';

/** By the name of the model, from the cards of the models. The first match applies. */
const families: readonly [RegExp, Family][] = [
  [/\bbge-m3\b/i, { query: '', passage: '', pooling: 'first' }],
  [/\bbge-.*-en\b/i, { query: instruction, passage: '', pooling: 'first' }],
  [/\bbge-/i, { query: '', passage: '', pooling: 'first' }],
  [/\be5-/i, { query: 'query: ', passage: 'passage: ', pooling: 'mean' }],
  [/\barctic-embed\b/i, { query: instruction, passage: '', pooling: 'first' }],
  [/\bmxbai-embed\b/i, { query: instruction, passage: '', pooling: 'first' }],
  [/\bnomic-embed\b/i, { query: 'search_query: ', passage: 'search_document: ', pooling: 'mean' }],
];
const plain: Family = { query: '', passage: '', pooling: 'mean' };

export function familyOf(name: string): Family {
  return families.find(([pattern]) => pattern.test(name))?.[1] ?? plain;
}

export function withPrefix(name: string, text: string, as: EmbeddedAs): string {
  return familyOf(name)[as] + text;
}
