export { foldText } from './characters.ts';
export { type Dictionary, dictionaryOf, encodeTerm, findTerm, prefixRange, type RangeSink } from './dictionary.ts';
export { type Finder, matchInfix } from './match-infix.ts';
export { matchTypos } from './match-typos.ts';
export { type ParsedQuery, parseQuery, type QueryPart, typoBudget } from './parse-query.ts';
export { longestTerm, mostTokens, type Token, type TokenSink, tokenize, tokenizeInto } from './tokenize.ts';
export { createTermTable, numberTokens, type TermTable } from './term-table.ts';
