import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { type Action, actions } from './decide.ts';

interface GrantIn {
  subject_kind: 'principal' | 'group';
  subject_id: string;
  library_id: string;
  rel_path?: string | undefined;
  action: string;
  effect?: 'allow' | 'deny' | undefined;
}

interface GrantRow {
  id: string;
  subject_kind: 'principal' | 'group';
  subject_id: string;
  subject_label: string | null;
  library_id: string;
  rel_path: string;
  scope: string;
  action: string;
  effect: 'allow' | 'deny';
}

export async function listGrants(
  db: Db,
  filter: { id?: string; subject_id?: string | undefined; library_id?: string | undefined } = {},
): Promise<GrantRow[]> {
  const conditions = [sql`true`];
  if (filter.id) conditions.push(sql`g.id = ${filter.id}`);
  if (filter.subject_id) conditions.push(sql`coalesce(g.principal_id, g.group_id) = ${filter.subject_id}`);
  if (filter.library_id) conditions.push(sql`g.library_id = ${filter.library_id}`);
  const { rows } =
    await sql<GrantRow>`select g.id, case when g.principal_id is null then 'group' else 'principal' end as subject_kind, coalesce(g.principal_id, g.group_id) as subject_id,
      coalesce(p.username, pg.name) as subject_label, g.library_id, g.rel_path, l.name || '/' || g.rel_path as scope, g.action, g.effect
    from grants g join libraries l on l.id = g.library_id left join principals p on p.id = g.principal_id left join principal_groups pg on pg.id = g.group_id
    where ${sql.join(conditions, sql` and `)} order by l.name, g.rel_path, g.action, g.id`.execute(db);
  return rows;
}

export async function createGrant(db: Db, input: GrantIn, actor: Actor): Promise<{ grant: GrantRow; warnings: string[] }> {
  if (!actions.includes(input.action as Action))
    throw fieldProblem(['body', 'action'], `"${input.action}" is not one of ${actions.join(', ')}.`, 'unknown_action');
  const path = cleanPath(input.rel_path ?? '');
  const effect = input.effect ?? 'allow';
  return db.transaction().execute(async (trx) => {
    const table = input.subject_kind === 'principal' ? 'principals' : 'principal_groups';
    const subject = await sql`select 1 from ${sql.table(table)} where id = ${input.subject_id}`.execute(trx);
    if (subject.rows.length === 0) throw notFound(input.subject_kind === 'principal' ? 'user' : 'group');
    const library = await sql`select 1 from libraries where id = ${input.library_id}`.execute(trx);
    if (library.rows.length === 0) throw notFound('library');
    const column = sql.ref(input.subject_kind === 'principal' ? 'principal_id' : 'group_id');
    const { rows } = await sql<{
      id: string;
    }>`insert into grants (${column}, library_id, rel_path, action, effect) values (${input.subject_id}, ${input.library_id}, ${path}, ${input.action}, ${effect})
      on conflict do nothing returning id`.execute(trx);
    if (!rows[0]) throw problem('conflict', 'The same grant already exists.');
    await recordEvent(trx, {
      event_type: 'grant_created',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { grant_id: rows[0].id, ...input, rel_path: path, effect },
    });
    const grant = one(await listGrants(trx, { id: rows[0].id }));
    return { grant, warnings: await warningsFor(trx, input, path) };
  });
}

/** Grants that are valid but probably a mistake. */
async function warningsFor(trx: Db, input: GrantIn, path: string): Promise<string[]> {
  const warnings: string[] = [];
  if (path !== '') {
    const { rows } =
      await sql`select 1 from folders where library_id = ${input.library_id} and (rel_path = ${path} or starts_with(rel_path, ${`${path}/`})) limit 1`.execute(
        trx,
      );
    if (rows.length === 0) warnings.push('No folder with this path is in the catalog yet.');
  }
  if (input.subject_kind === 'principal') {
    const { rows } = await sql<{
      clamped: boolean;
    }>`select not (${input.action} = any(r.ceiling_actions)) as clamped from principals p join roles r on r.name = p.global_role where p.id = ${input.subject_id}`.execute(
      trx,
    );
    if (rows[0]?.clamped) warnings.push('The role of this account does not cover this action, so the grant has no effect.');
  }
  return warnings;
}

export async function deleteGrant(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const [grant] = await listGrants(trx, { id });
    if (!grant) throw notFound('grant');
    await sql`delete from grants where id = ${id}`.execute(trx);
    await recordEvent(trx, { event_type: 'grant_deleted', principal_id: actor.principalId, ip: actor.ip, details: { ...grant } });
  });
}

function cleanPath(path: string): string {
  const clean = path.replace(/^\/+|\/+$/g, '');
  if (clean.split('/').some((segment) => segment === '.' || segment === '..'))
    throw fieldProblem(['body', 'rel_path'], 'A path must not contain "." or "..". Use a path below the library folder.', 'bad_path');
  return clean;
}
