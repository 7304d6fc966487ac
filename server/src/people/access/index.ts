export type { Action, ScopeNode } from './decide.ts';
export { allowedActions, type RecordedRights, recordRights, stillAllows, type Visibility, visibilityOf } from './visibility.ts';
