export { resolveAccess } from './access-terms.ts';
export type { Expression, ParsedQuery } from './ast.ts';
export { hasValues, isValues } from './filter-term.ts';
export { checkKinds, filtersBy } from './inspect.ts';
export { fieldName, parseQuery } from './parse.ts';
export { inClasses, indexFilter, indexText, isNative, maxIds, unsearchableWords } from './to-index.ts';
export { queryCondition, sqlCondition } from './to-sql.ts';
