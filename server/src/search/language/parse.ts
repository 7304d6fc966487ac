import type { Chip, Expression, FilterTerm, ParsedQuery, WordTerm } from './ast.ts';
import { isKey, readFilterTerm } from './filter-term.ts';
import { lex, type QueryToken } from './lexer.ts';
import { queryError } from './query-error.ts';

/**
 * The parser of the filter language. Grammar:
 *   either  = all ("OR" all)*
 *   all     = one ("AND"? one)*
 *   one     = ("NOT" | "-" | "!") one | "(" either ")" | filter | word
 * Words and phrases may be combined with filters by AND and may be negated. Inside OR they are rejected, because the index requires all words.
 */
export interface ParseOptions {
  now: Date;
  /** While typing, unfinished quotes, parentheses, values and operators are accepted. */
  typing?: boolean;
}

const maxDepth = 40;
const maxTerms = 200;

export function parseQuery(query: string, { now, typing = false }: ParseOptions): ParsedQuery {
  const tokens = lex(query, { isKey, typing, maxTokens: maxTerms * 4 });
  // A query without filters and operators is plain text, in which parentheses have no meaning.
  const plain = tokens.every((token) => (token.kind === 'text' ? token.key === null : token.kind === 'open' || token.kind === 'close'));
  const reader = createReader(plain && typing ? tokens.filter(({ kind }) => kind === 'text') : tokens, query, now, typing);
  const tree = reader();
  const words: ParsedQuery['words'] = [];
  const filters: Expression[] = [];
  if (tree) separateWords(tree, false, words, filters);
  return { text: query, words, filters, chips: filters.flatMap((filter) => chipsOf(filter, false, query)) };
}

function createReader(tokens: readonly QueryToken[], query: string, now: Date, typing: boolean): () => Expression | null {
  let at = 0;
  let depth = 0;

  function either(): Expression | null {
    const parts = [all()];
    for (let operator = tokens[at]; operator?.kind === 'or'; operator = tokens[at]) {
      at += 1;
      const next = all();
      if ((!next || !parts.at(-1)) && !typing) throw queryError('missing_operand', operator.start, 'OR needs a filter on both sides.');
      parts.push(next);
    }
    return combine('or', parts);
  }

  function all(): Expression | null {
    const parts: (Expression | null)[] = [];
    for (;;) {
      const token = tokens[at];
      if (!token || token.kind === 'or' || (token.kind === 'close' && depth > 0)) break;
      if (token.kind === 'close') {
        if (!typing)
          throw queryError(
            'stray_parenthesis',
            token.start,
            'There is no opening parenthesis for this one. Remove it or add the opening one.',
          );
        at += 1;
      } else if (token.kind === 'and') {
        at += 1;
        const next = tokens[at];
        const dangling = parts.length === 0 || !next || next.kind === 'or' || next.kind === 'and' || next.kind === 'close';
        if (dangling && !typing) throw queryError('missing_operand', token.start, 'AND needs a filter or word on both sides.');
      } else parts.push(one());
    }
    return combine('and', parts);
  }

  function one(): Expression | null {
    const token = tokens[at];
    if (!token) return null;
    at += 1;
    if (token.kind === 'not') {
      const next = tokens[at];
      if (!next || next.kind === 'close' || next.kind === 'or' || next.kind === 'and') {
        if (typing) return null;
        throw queryError('missing_operand', token.start, 'NOT needs a filter or word after it.');
      }
      const part = nested(token.start, one);
      return part && { kind: 'not', part };
    }
    if (token.kind === 'open') return group(token.start);
    if (token.kind !== 'text') return null;
    if (token.key !== null) {
      // A key whose value is not typed yet is ignored.
      if (typing && token.value === '' && token.end === query.trimEnd().length) return null;
      return readFilterTerm(token, now);
    }
    const text = token.value.replaceAll('\0', ' ');
    return { kind: 'word', text, quoted: token.quoted, start: token.start, end: token.end };
  }

  function group(start: number): Expression | null {
    return nested(start, () => {
      const inside = either();
      if (tokens[at]?.kind === 'close') at += 1;
      else if (!typing) throw queryError('unclosed_parenthesis', start, 'This parenthesis is never closed. Add the closing parenthesis.');
      if (!inside && !typing)
        throw queryError('missing_operand', start, 'These parentheses are empty. Put a filter between them or remove them.');
      return inside;
    });
  }

  function nested<T>(start: number, read: () => T): T {
    depth += 1;
    if (depth > maxDepth) throw queryError('too_deep', start, `Parentheses and negations can be nested at most ${maxDepth} levels deep.`);
    const result = read();
    depth -= 1;
    return result;
  }

  return either;
}

function combine(kind: 'and' | 'or', parts: readonly (Expression | null)[]): Expression | null {
  const [first, ...rest] = parts.filter((part) => part !== null);
  if (!first) return null;
  return rest.length === 0 ? first : { kind, parts: [first, ...rest] };
}

/** Moves words out of the tree. A word is valid only where every hit must contain it, or none may. */
function separateWords(node: Expression, negated: boolean, words: ParsedQuery['words'], filters: Expression[]): void {
  if (node.kind === 'not') {
    separateWords(node.part, !negated, words, filters);
    return;
  }
  if ((node.kind === 'and' && !negated) || (node.kind === 'or' && negated)) {
    for (const part of node.parts) separateWords(part, negated, words, filters);
    return;
  }
  if (node.kind === 'word') {
    words.push({ ...node, negated });
    return;
  }
  const word = firstWord(node);
  if (word)
    throw queryError('words_in_or', word.start, 'Words cannot be used inside OR. Put them outside, or search for each of them separately.');
  filters.push(negated ? { kind: 'not', part: node } : node);
}

function firstWord(node: Expression): WordTerm | null {
  if (node.kind === 'word') return node;
  if (node.kind === 'filter') return null;
  if (node.kind === 'not') return firstWord(node.part);
  for (const part of node.parts) {
    const word = firstWord(part);
    if (word) return word;
  }
  return null;
}

export function filterTerms(node: Expression): FilterTerm[] {
  if (node.kind === 'filter') return [node];
  if (node.kind === 'word') return [];
  return node.kind === 'not' ? filterTerms(node.part) : node.parts.flatMap(filterTerms);
}

function chipsOf(node: Expression, negated: boolean, query: string): Chip[] {
  if (node.kind === 'not') return chipsOf(node.part, !negated, query);
  if (node.kind === 'and' || node.kind === 'or') return node.parts.flatMap((part) => chipsOf(part, negated, query));
  if (node.kind === 'word') return [];
  const { start, end, value } = node;
  return [{ field: fieldName(node), value, negated, text: query.slice(start, end), start, end }];
}

export function fieldName({ key, name }: FilterTerm): string {
  return name === '' ? key : `${key}.${name}`;
}
