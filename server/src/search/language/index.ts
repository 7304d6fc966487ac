export type { Chip, Expression, FilterTerm, ParsedQuery } from './ast.ts';
export { checkKinds } from './inspect.ts';
export { hasValues, isValues } from './filter-term.ts';
export { fieldName, parseQuery, type ParseOptions } from './parse.ts';
export { type QueryErrorCode, queryError } from './query-error.ts';
export { filtersBy } from './inspect.ts';
export { type IndexContext, indexFilter, isNative, maxIds } from './to-index.ts';
export { queryCondition, sqlCondition } from './to-sql.ts';
export { indexText } from './to-index.ts';
