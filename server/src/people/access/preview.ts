import { fieldProblem, notFound } from '../../platform/problem.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

import { type Action, actions, type AccessRule, winningRule } from './decide.ts';

export interface AccessDecision {
  allowed: boolean;
  reason: 'admin_bypass' | 'explicit_deny' | 'explicit_allow' | 'no_grant_default_deny' | 'ceiling_clamped';
  action: string;
  role: string;
  item_scope: string;
  winning_grant: { scope: string; action: string; effect: string; subject_kind: string; subject_id: string } | null;
}

interface SubjectRule extends AccessRule {
  subject_kind: string;
  subject_id: string;
}

/** Why somebody may or may not do something at a path: the same rules, told. */
export async function explainDecision(
  db: Db,
  query: { principal: string; library: string; path: string; action: string },
): Promise<AccessDecision> {
  if (!actions.includes(query.action as Action))
    throw fieldProblem(['query', 'action'], `"${query.action}" is not an action.`, 'unknown_action');
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
  if (!role.ceiling_actions.includes(query.action)) return { ...decision, allowed: false, reason: 'ceiling_clamped' };
  const { rows } =
    await sql<SubjectRule>`select library_id as "libraryId", rel_path as path, effect, case when principal_id is null then 'group' else 'principal' end as subject_kind,
      coalesce(principal_id, group_id) as subject_id from grants where library_id = ${query.library} and action = ${query.action}
      and (principal_id = ${query.principal} or group_id in (select group_id from principal_group_members where principal_id = ${query.principal}))`.execute(
      db,
    );
  const winner = winningRule(rows, query.library, path);
  if (!winner) return { ...decision, allowed: false, reason: 'no_grant_default_deny' };
  const winning_grant = {
    scope: winner.path,
    action: query.action,
    effect: winner.effect,
    subject_kind: winner.subject_kind,
    subject_id: winner.subject_id,
  };
  return {
    ...decision,
    allowed: winner.effect === 'allow',
    reason: winner.effect === 'allow' ? 'explicit_allow' : 'explicit_deny',
    winning_grant,
  };
}
