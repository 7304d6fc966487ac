export { asciiClasses, digit, foldText, lower, separator, upper } from './tokenize.ts';
export { type Dictionary, dictionaryOf, encodeTerm, findTerm, prefixRange, type RangeSink } from './dictionary.ts';
export { type ParsedQuery, parseQuery, type QueryPart, typoBudget } from './parse-query.ts';
export { longestTerm, longestWhole, mostTokens, type Token, type TokenSink, tokenize, tokenizeInto } from './tokenize.ts';
export {
  createUnitTable,
  findUnits,
  finishHash,
  foldBit,
  hashPrime,
  hashSeed,
  hashUnits,
  numberOfUnits,
  recordHead,
  textOf,
  type UnitTable,
  unitsOf,
} from './unit-table.ts';
