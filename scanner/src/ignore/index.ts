export { compileIgnore, type Ignore, type IgnoreDecision, libraryPatterns, type PatternList, type PatternOrigin } from './ignore.ts';
export { parseIgnorePattern } from './pattern.ts';
