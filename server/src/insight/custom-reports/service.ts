import { ownedBy, owns } from '../../people/identity/index.ts';
import { type Db, isReferenceError } from '../../platform/database/index.ts';
import { hasScope, type Principal } from '../../platform/principal.ts';
import { notFound, type Problem, problem } from '../../platform/problem.ts';
import { definitionProblem } from './run.ts';
import {
  type CustomReport,
  countReports,
  deleteReport,
  findCustomReport,
  insertReport,
  listReports,
  lockReport,
  updateReport,
} from './store.ts';
import { type ReportInput, validateDefinition } from './validate.ts';

/**
 * A custom report belongs to the person who made it, and to the limited key it was made with. Others can run and copy but not change a shared one, and get 404 for a private one.
 * Administrators can see and change all. Its rows depend on the rights of the caller who runs it.
 */
const maxPerOwner = 500;

const isAdmin = ({ scopes }: Principal): boolean => hasScope(scopes, 'admin');

export function mayEditReport(principal: Principal, row: Pick<CustomReport, 'owner_id' | 'key_id'>): boolean {
  return isAdmin(principal) || owns(principal, row);
}

export function reportsFor(db: Db, principal: Principal): Promise<CustomReport[]> {
  return listReports(db, { ...ownedBy(principal), all: isAdmin(principal) });
}

export async function readableReport(db: Db, principal: Principal, id: string): Promise<CustomReport> {
  const row = await findCustomReport(db, id);
  if (!row || !(row.shared || mayEditReport(principal, row))) throw notFound('custom report');
  return row;
}

/** The report of a schedule may be any report of the account, also for a limited key. The rows are still limited to what the owner of the schedule may see. */
export async function scheduledReport(db: Db, principal: Principal, id: string): Promise<CustomReport> {
  const row = await findCustomReport(db, id);
  if (!row || !(row.shared || row.owner_id === principal.id || isAdmin(principal))) throw notFound('custom report');
  return row;
}

export type ReportFields = Pick<CustomReport, 'name' | 'query' | 'columns' | 'sort' | 'group_by' | 'aggregates' | 'format' | 'shared'>;

export const inputOf = ({ query, columns, sort, group_by, aggregates }: Omit<ReportFields, 'name' | 'format' | 'shared'>): ReportInput => ({
  query,
  columns,
  sort,
  groupBy: group_by,
  aggregates,
});

export async function createReport(db: Db, principal: Principal, now: Date, fields: ReportFields): Promise<CustomReport> {
  if ((await countReports(db, ownedBy(principal))) >= maxPerOwner)
    throw problem('too_many', `You can have at most ${maxPerOwner} custom reports. Delete some first.`);
  await check(db, fields, now);
  const name = fields.name.trim();
  const created = await insertReport(db, {
    ...fields,
    name,
    owner_id: principal.id,
    key_id: ownedBy(principal).key,
    owner_name: principal.name,
  });
  if (!created) throw problem('name_taken', `You already have a custom report named "${name}". Choose another name.`);
  return created;
}

/** The definition that results from the change is checked as a whole. */
export async function changeReport(
  db: Db,
  principal: Principal,
  id: string,
  now: Date,
  fields: Partial<ReportFields>,
): Promise<CustomReport> {
  return db.transaction().execute(async (tx) => {
    await lockReport(tx, id);
    const row = await editableReport(tx, principal, id);
    const changed = { ...row, ...fields, name: fields.name?.trim() ?? row.name };
    await check(tx, changed, now);
    const stored = await updateReport(tx, changed);
    if (!stored) throw problem('name_taken', `There is already a custom report named "${changed.name}". Choose another name.`);
    return stored;
  });
}

/** Everybody who can read a report can copy it. Without a name, the copy is called "<name> (copy)", then "(copy 2)" and so on. */
export async function copyReport(db: Db, principal: Principal, id: string, name: string | undefined): Promise<CustomReport> {
  const row = await readableReport(db, principal, id);
  for (let turn = 1; turn <= 100; turn += 1) {
    const chosen = name?.trim() ?? `${row.name.slice(0, 180)} (copy${turn === 1 ? '' : ` ${turn}`})`;
    const created = await insertReport(db, {
      ...row,
      name: chosen,
      owner_id: principal.id,
      key_id: ownedBy(principal).key,
      owner_name: principal.name,
      shared: false,
    });
    if (created) return created;
    if (name !== undefined) break;
  }
  throw problem('name_taken', 'You already have a custom report with this name. Choose another name.');
}

/** Tells the caller what uses a custom report. Schedules import this module, not the other way round. */
export type ReportInUse = (db: Db, principal: Principal, id: string) => Promise<Problem>;

export async function removeReport(db: Db, principal: Principal, id: string, inUse: ReportInUse): Promise<void> {
  await editableReport(db, principal, id);
  try {
    await deleteReport(db, id);
  } catch (error) {
    throw isReferenceError(error) ? await inUse(db, principal, id) : error;
  }
}

async function editableReport(db: Db, principal: Principal, id: string): Promise<CustomReport> {
  const row = await readableReport(db, principal, id);
  if (!mayEditReport(principal, row))
    throw problem('action_denied', 'Only the owner or an administrator can change a custom report. Copy it and change the copy.');
  return row;
}

async function check(db: Db, fields: ReportFields, now: Date): Promise<void> {
  const { errors } = await validateDefinition(db, inputOf(fields), now);
  if (errors.length > 0) throw definitionProblem(errors);
}
