export { type Action, actions, isBelow, type AllowedFolder, type ScopeNode } from './decide.ts';
export { type Visibility, visibilityOf } from './visibility.ts';
