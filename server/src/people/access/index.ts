export type { Action, ScopeNode } from './decide.ts';
export {
  allowedActions,
  describeRights,
  type RecordedRights,
  recordRights,
  stillAllows,
  type Visibility,
  visibilityOf,
} from './visibility.ts';
