export type { Action, ScopeNode } from './decide.ts';
export { type Visibility, visibilityOf } from './visibility.ts';
