export { buildDictionary, type Dictionary, encodeTerm, findTerm, prefixRange, type RangeSink } from './dictionary.ts';
export {
  caseBit,
  createInternTable,
  finalizeHash,
  findInterned,
  fromCodeUnits,
  hashCodeUnits,
  hashPrime,
  hashSeed,
  type InternTable,
  intern,
  recordHeaderLength,
  toCodeUnits,
} from './intern-table.ts';
export { parseSearchText, typoBudget } from './parse-search-text.ts';
export {
  asciiClasses,
  caseFold,
  digit,
  lower,
  maxTermLength,
  maxTokens,
  maxWholeChunkLength,
  separator,
  type Token,
  tokenize,
  tokenizeInto,
  upper,
} from './tokenize.ts';
