import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem, notFound } from '../../platform/problem.ts';
import {
  type AccessRule,
  type Action,
  type AllowedFolder,
  actions,
  allowedBy,
  allowsAllBelow,
  covers,
  limitForest,
  type ScopeNode,
  scopeForest,
  winningRule,
} from './decide.ts';

/** What one caller may see and do. Every route that shows items, counts or files goes through it. */
export interface Visibility {
  /** True when no grant restricts this caller. */
  unrestricted: boolean;
  /** A SQL condition over a table alias that has library_id and rel_path. */
  where(alias: string, action?: Action): RawBuilder<boolean>;
  /** The same condition over items, decided by their folders, so that one look at a folder serves all of its files. */
  whereItem(alias: string, action?: Action): RawBuilder<boolean>;
  /** `whereItem` in two disjoint parts: the libraries that are fully visible, and a condition for visible folders of other libraries, or null. */
  split(alias: string): { whole: 'all' | string[]; rest: RawBuilder<boolean> | null };
  allows(libraryId: string, relPath: string, action: Action): boolean;
  /** True when anything in this library is visible. */
  mayEnter(libraryId: string): boolean;
  /** True when the whole library, or everything below the folder, is visible. Stored totals may be shown only then. */
  seesWhole(libraryId: string, folder?: string): boolean;
  /** The folders where access changes, for an index filter; null when unrestricted. */
  scope(action?: Action): AllowedFolder[] | null;
}

/** The same text for callers with the same rights. */
export function describeRights(visibility: Visibility): string {
  return JSON.stringify([visibility.unrestricted, ...actions.map((action) => visibility.scope(action))]);
}

const unrestrictedVisibility: Visibility = {
  unrestricted: true,
  where: () => sql<boolean>`true`,
  whereItem: () => sql<boolean>`true`,
  split: () => ({ whole: 'all', rest: null }),
  allows: () => true,
  mayEnter: () => true,
  seesWhole: () => true,
  scope: () => null,
};

/**
 * Visibility is cached per caller and key limits while the access generation read with the credential stays the same. Every change of
 * grants, groups, roles or libraries raises the generation in its own transaction, so every process applies it from the next request on.
 * A caller without a generation is never served from the cache.
 */
const cache = new Map<string, { generation: string; visibility: Visibility }>();
const maxCached = 2000;

export async function visibilityOf(db: Db, principal: Principal): Promise<Visibility> {
  if (principal.bypass) return unrestrictedVisibility;
  const { accessGeneration: generation } = principal;
  if (!generation) return readVisibility(db, principal);
  const caller = JSON.stringify([principal.kind, principal.id, principal.role, principal.keyLimits ?? null]);
  const known = cache.get(caller);
  if (known?.generation === generation) return known.visibility;
  const visibility = await readVisibility(db, principal);
  cache.delete(caller);
  cache.set(caller, { generation, visibility });
  for (const oldest of cache.keys()) {
    if (cache.size <= maxCached) break;
    cache.delete(oldest);
  }
  return visibility;
}

/** What the caller may do in at least one folder. */
export async function allowedActions(db: Db, principal: Principal): Promise<Action[]> {
  const visibility = await visibilityOf(db, principal);
  return actions.filter((action) => visibility.scope(action)?.length !== 0);
}

async function readVisibility(db: Db, principal: Principal): Promise<Visibility> {
  const forests = await readForests(db, principal);
  const of = (action: Action): AllowedFolder[] => forests.get(action) ?? [];
  return {
    unrestricted: false,
    where: (alias, action = 'search_metadata') => condition(of(action), alias),
    whereItem: (alias, action = 'search_metadata') => itemCondition(of(action), alias),
    split: (alias) => {
      const rest = of('search_metadata').filter((node) => !isWhole(node));
      const whole = of('search_metadata').filter(isWhole);
      return { whole: whole.map(({ libraryId }) => libraryId), rest: rest.length > 0 ? itemCondition(rest, alias) : null };
    },
    allows: (libraryId, relPath, action) =>
      allowedBy(of('search_metadata'), libraryId, relPath) && allowedBy(of(action), libraryId, relPath),
    mayEnter: (libraryId) => of('search_metadata').some((node) => node.libraryId === libraryId),
    seesWhole: (libraryId, folder = '') => allowsAllBelow(of('search_metadata'), libraryId, folder),
    scope: (action = 'search_metadata') => of(action),
  };
}

const recordedActions = ['search_metadata', 'search_content', 'download', 'view_permissions'] as const satisfies Action[];

/** What a caller may see, as it is stored with a file that was made for them. Null is everything. */
export type RecordedRights = Record<(typeof recordedActions)[number], AllowedFolder[] | null>;

export const recordRights = (visibility: Visibility): RecordedRights =>
  Object.fromEntries(recordedActions.map((action) => [action, visibility.scope(action)])) as RecordedRights;

/** Whether a caller may still see all that was allowed when the rights were recorded. */
export function stillAllows(visibility: Visibility, recorded: RecordedRights | null): boolean {
  if (visibility.unrestricted) return true;
  return recordedActions.every((action) => {
    const then = recorded?.[action] ?? null;
    return then !== null && covers(visibility.scope(action) ?? [], then);
  });
}

function isWhole({ path, children }: ScopeNode): boolean {
  return path === '' && children.length === 0;
}

interface ActionRule extends AccessRule {
  action: Action;
}

async function readForests(db: Db, principal: Principal): Promise<Map<Action, AllowedFolder[]>> {
  const rules = await readRules(db, principal);
  const byAction = Map.groupBy(rules, (rule) => rule.action);
  return new Map(
    [...byAction].map(([action, list]) => [
      action,
      limitForest(scopeForest(list), principal.keyLimits ?? { libraries: null, pathScope: null }),
    ]),
  );
}

/** A person has their own grants and those of their groups, up to the ceiling of their role. A service account may act in every library, up to its scopes. */
async function readRules(db: Db, principal: Principal): Promise<ActionRule[]> {
  if (principal.kind === 'service' || (principal.kind === 'user' && principal.role === 'admin')) {
    const { rows } = await sql<ActionRule>`select l.id as "libraryId", '' as path, 'allow' as effect, action
      from libraries l cross join (select unnest(ceiling_actions) as action from roles where name = 'admin') a`.execute(db);
    return rows;
  }
  const { rows } = await sql<ActionRule>`select g.library_id as "libraryId", g.rel_path as path, g.effect, g.action from grants g
    join principals p on p.id = ${principal.id} join roles r on r.name = p.global_role
    where (g.principal_id = p.id or g.group_id in (select m.group_id from principal_group_members m where m.principal_id = p.id))
      and g.action = any(r.ceiling_actions)`.execute(db);
  return rows;
}

/** Whether a row is at a path or below it. */
type Covers = (path: string) => RawBuilder<unknown>;

function condition(forest: readonly ScopeNode[], alias: string): RawBuilder<boolean> {
  const relPath = sql.ref(`${alias}.rel_path`);
  return anyNode(forest, alias, (path) => sql`${relPath} = ${path} or starts_with(${relPath}, ${`${path}/`})`);
}

/** A rule may also name a file, which is in the folder above its path. */
function itemCondition(forest: readonly ScopeNode[], alias: string): RawBuilder<boolean> {
  if (forest.every(isWhole)) return anyNode(forest, alias, () => sql`true`);
  const name = sql.ref(`${alias}.filename`);
  const covers: Covers = (path) => {
    const end = path.lastIndexOf('/');
    return sql`v.rel_path = ${path} or starts_with(v.rel_path, ${`${path}/`})
      or (v.rel_path = ${path.slice(0, Math.max(end, 0))} and ${name} = ${path.slice(end + 1)})`;
  };
  return sql<boolean>`exists (select from folders v where v.id = ${sql.ref(`${alias}.folder_id`)} and ${anyNode(forest, 'v', covers)})`;
}

function anyNode(forest: readonly ScopeNode[], alias: string, covers: Covers): RawBuilder<boolean> {
  if (forest.length === 0) return sql<boolean>`false`;
  return sql<boolean>`(${sql.join(
    forest.map((node) => nodeCondition(node, alias, covers)),
    sql` or `,
  )})`;
}

/** Inside this folder but not inside its children, whose own children are again included. */
function nodeCondition({ libraryId, path, children }: ScopeNode, alias: string, covers: Covers): RawBuilder<boolean> {
  const library = sql.ref(`${alias}.library_id`);
  const here = path === '' ? sql`${library} = ${libraryId}` : sql`(${library} = ${libraryId} and (${covers(path)}))`;
  if (children.length === 0) return sql<boolean>`${here}`;
  return sql<boolean>`(${here} and not ${anyNode(children, alias, covers)})`;
}

interface AccessDecision {
  allowed: boolean;
  reason: 'admin_bypass' | 'explicit_deny' | 'explicit_allow' | 'no_grant_default_deny' | 'ceiling_clamped';
  action: string;
  role: string;
  item_scope: string;
  winning_grant: { scope: string; action: string; effect: 'allow' | 'deny'; subject_kind: string; subject_id: string } | null;
}

interface SubjectRule extends AccessRule {
  subject_kind: string;
  subject_id: string;
}

/** Whether a person may act at a path, with the deciding grant, by the rules that also decide requests. */
export async function explainDecision(
  db: Db,
  query: { principal: string; library: string; path: string; action: string },
): Promise<AccessDecision> {
  if (!actions.includes(query.action as Action))
    throw fieldProblem(['query', 'action'], `"${query.action}" is not an action. Use one of ${actions.join(', ')}.`, 'unknown_action');
  const role = await db
    .selectFrom('principals as p')
    .innerJoin('roles as r', 'r.name', 'p.global_role')
    .select(['r.name', 'r.bypass', 'r.ceiling_actions'])
    .where('p.id', '=', query.principal)
    .executeTakeFirst();
  if (!role) throw notFound('user');
  const path = query.path.replace(/^\/+|\/+$/g, '');
  const decision = { action: query.action, role: role.name, item_scope: `${query.library}/${path}`, winning_grant: null };
  if (role.bypass) return { ...decision, allowed: true, reason: 'admin_bypass' };
  // What cannot be found cannot be opened or changed either.
  const decide = (action: string) => decideByGrants(db, query, action, role.ceiling_actions, path);
  const found = await decide('search_metadata');
  return { ...decision, ...(found.allowed ? await decide(query.action) : found) };
}

async function decideByGrants(
  db: Db,
  query: { principal: string; library: string },
  action: string,
  ceiling: readonly string[],
  path: string,
): Promise<Pick<AccessDecision, 'allowed' | 'reason' | 'winning_grant'>> {
  if (!ceiling.includes(action)) return { allowed: false, reason: 'ceiling_clamped', winning_grant: null };
  const { rows } =
    await sql<SubjectRule>`select library_id as "libraryId", rel_path as path, effect, case when principal_id is null then 'group' else 'principal' end as subject_kind,
      coalesce(principal_id, group_id) as subject_id from grants where library_id = ${query.library} and action = ${action}
      and (principal_id = ${query.principal} or group_id in (select group_id from principal_group_members where principal_id = ${query.principal}))`.execute(
      db,
    );
  const winner = winningRule(rows, query.library, path);
  if (!winner) return { allowed: false, reason: 'no_grant_default_deny', winning_grant: null };
  const { path: scope, effect, subject_kind, subject_id } = winner;
  return {
    allowed: effect === 'allow',
    reason: effect === 'allow' ? 'explicit_allow' : 'explicit_deny',
    winning_grant: { scope, action, effect, subject_kind, subject_id },
  };
}
