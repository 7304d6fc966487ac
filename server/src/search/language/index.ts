export type { Expression, ParsedQuery } from './ast.ts';
export { checkKinds } from './inspect.ts';
export { hasValues, isValues } from './filter-term.ts';
export { fieldName, parseQuery } from './parse.ts';
export { filtersBy } from './inspect.ts';
export { indexFilter, isNative, maxIds } from './to-index.ts';
export { queryCondition, sqlCondition } from './to-sql.ts';
export { indexText } from './to-index.ts';
