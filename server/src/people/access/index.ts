export type { Action, ScopeNode } from './decide.ts';
export { type RecordedRights, recordRights, stillAllows, type Visibility, visibilityOf } from './visibility.ts';
