export { compileIgnore, type Ignore, type IgnoreDecision, libraryPatterns, type PatternList, type PatternOrigin } from './ignore.ts';
export { readPattern } from './pattern.ts';
