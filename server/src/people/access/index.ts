export { type Action, actions, isBelow, type ScopeNode } from './decide.ts';
export { type Visibility, visibilityOf } from './visibility.ts';
