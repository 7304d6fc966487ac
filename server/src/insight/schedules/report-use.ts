import { sql } from 'kysely';
import { owns } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { hasScope, type Principal } from '../../platform/principal.ts';
import { nameList, type Problem, problem } from '../../platform/problem.ts';

type Use = { name: string; owner_id: string | null; key_id: string | null };

async function schedulesOfReport(db: Db, reportId: string): Promise<Use[]> {
  const { rows } = await sql<Use>`select name, owner_id, key_id from report_schedules where report_definition_id = ${reportId}
    order by lower(name), id`.execute(db);
  return rows;
}

/** Why a custom report cannot be deleted: the caller's schedules by name, those of other people as a number. */
export async function reportInUse(db: Db, principal: Principal, reportId: string): Promise<Problem> {
  const schedules = await schedulesOfReport(db, reportId);
  const all = hasScope(principal.scopes, 'admin');
  const visible = schedules.filter((row) => all || owns(principal, row)).map(({ name }) => name);
  const others = schedules.length - visible.length;
  if (others === 0 && visible.length === 0) return problem('report_in_use');
  if (others === 0)
    return problem(
      'report_in_use',
      `This report is still in use by schedules: ${nameList(visible)}. Choose another report there or delete the schedules first.`,
    );
  if (visible.length === 0)
    return problem(
      'report_in_use',
      `This report is still in use by schedules of other people (${others}). Ask them or an administrator to change or delete the schedules first.`,
    );
  return problem(
    'report_in_use',
    `This report is still in use by schedules: ${nameList(visible)}, and by schedules of other people (${others}). Change or delete yours, and ask the others or an administrator to do the same.`,
  );
}
