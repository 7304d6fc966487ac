export { type Action, actions, type ScopeNode } from './decide.ts';
export { type Visibility, visibilityOf } from './visibility.ts';
