import { sql } from 'kysely';
import type { Ownership } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { defaultRules, type KeepRule } from './rules.ts';

export interface PlanRow {
  id: number;
  owner_id: string | null;
  rules: KeepRule[];
  reviewed_digest: string | null;
  reviewed_at: Date | null;
  reviewed_by: string | null;
}

/** The plan of an account, or of one of its limited keys. Without one, the default rules apply and the id is 0. */
export async function planOf(db: Db, { owner, key }: Ownership): Promise<PlanRow> {
  const { rows } = await sql<PlanRow>`select id, owner_id, rules, reviewed_digest, reviewed_at, reviewed_by from duplicate_plans
    where owner_id is not distinct from ${owner}::uuid and key_id is not distinct from ${key}::uuid`.execute(db);
  return rows[0] ?? { id: 0, owner_id: owner, rules: [...defaultRules], reviewed_digest: null, reviewed_at: null, reviewed_by: null };
}

/** Every plan, for `catalog check`. */
export async function allPlans(db: Db, limit: number): Promise<PlanRow[]> {
  const { rows } =
    await sql<PlanRow>`select id, owner_id, rules, reviewed_digest, reviewed_at, reviewed_by from duplicate_plans order by id limit ${limit}`.execute(
      db,
    );
  return rows;
}

/** The stored plan, created when there is none. */
export async function storedPlan(db: Db, { owner, key }: Ownership): Promise<PlanRow> {
  const { rows } =
    await sql<PlanRow>`insert into duplicate_plans (owner_id, key_id, rules) values (${owner}, ${key}, ${JSON.stringify(defaultRules)}::jsonb)
    on conflict (owner_id, key_id) do update set rules = duplicate_plans.rules
    returning id, owner_id, rules, reviewed_digest, reviewed_at, reviewed_by`.execute(db);
  return one(rows);
}

/** Whether keys of this account were revoked that had a plan. */
export async function plansWithoutKey(db: Db, owner: string): Promise<boolean> {
  const { rows } = await sql`select from duplicate_plans p where p.owner_id = ${owner} and p.key_id is not null
    and not exists (select from api_keys k where k.id = p.key_id) limit 1`.execute(db);
  return rows.length > 0;
}

/** Merges the plans of revoked keys into the plan of their account. On conflict the rules and choices of the account win, then those of the newest key. */
export async function adoptPlans(db: Db, owner: string): Promise<void> {
  await sql`with revoked as (
      select p.id, p.rules from duplicate_plans p where p.owner_id = ${owner} and p.key_id is not null
        and not exists (select from api_keys k where k.id = p.key_id) for update),
    own as (insert into duplicate_plans (owner_id, rules) select ${owner}, rules from revoked order by id desc limit 1
      on conflict (owner_id, key_id) do update set rules = duplicate_plans.rules returning id),
    moved as (insert into duplicate_choices (plan_id, key, item_id)
      select own.id, c.key, c.item_id from own cross join revoked r join duplicate_choices c on c.plan_id = r.id order by r.id desc on conflict do nothing)
    delete from duplicate_plans where id in (select id from revoked)`.execute(db);
}

export async function setRules(db: Db, id: number, rules: readonly KeepRule[]): Promise<void> {
  await sql`update duplicate_plans set rules = ${JSON.stringify(rules)}::jsonb where id = ${id}`.execute(db);
}

export async function setReviewed(db: Db, id: number, digest: string, by: string): Promise<void> {
  await sql`update duplicate_plans set reviewed_digest = ${digest}, reviewed_at = now(), reviewed_by = ${by} where id = ${id}`.execute(db);
}

/** How many groups a person may decide by hand. */
const maxChoices = 100_000;

/** False when there are too many choices already. */
export async function chooseCopy(db: Db, planId: number, key: string, itemId: string): Promise<boolean> {
  const { rows } = await sql`insert into duplicate_choices (plan_id, key, item_id)
    select ${planId}::bigint, ${key}, ${itemId}::uuid where (select count(*) from duplicate_choices where plan_id = ${planId}) < ${maxChoices}
    on conflict (plan_id, key) do update set item_id = excluded.item_id returning key`.execute(db);
  return rows.length > 0;
}

export async function forgetChoice(db: Db, planId: number, key: string): Promise<void> {
  await sql`delete from duplicate_choices where plan_id = ${planId} and key = ${key}`.execute(db);
}
