export { compileIgnore, type Ignore, type IgnoreDecision, libraryPatterns, type PatternList, type PatternOrigin } from './ignore.ts';
export { parseIgnorePattern as readPattern } from './pattern.ts';
