import { sql } from 'kysely';
import { type Check, findViolations } from '../../platform/check.ts';
import type { Db } from '../../platform/database/index.ts';
import type { ReportAccess } from '../reports/index.ts';
import { plannedCopies } from './query.ts';
import { allPlans } from './store.ts';

const everything: ReportAccess = {
  unrestricted: true,
  where: () => sql<boolean>`true`,
  whereItem: () => sql<boolean>`true`,
  split: () => ({ whole: 'all', rest: null }),
  seesWhole: () => true,
  mayEnter: () => true,
};
/** Plans whose groups are examined; each costs as much as opening the page of the plan. */
const maxPlans = 20;

/** What a script would do: a file may be removed only while one other file with the same content is kept. */
async function unsafePlans(db: Db): Promise<string[]> {
  const found: string[] = [];
  for (const plan of await allPlans(db, maxPlans)) {
    const copies = plannedCopies({ db, access: everything, plan, offline: [], seen: 'all' });
    found.push(
      ...(await findViolations(
        db,
        sql`select format('The cleanup plan %s would remove copies of %s, but keeps %s.', ${plan.id}::bigint, p.key, count(*) filter (where p.action = 'keep')) as sentence
          from (${copies}) p group by p.key
          having count(*) filter (where p.action = 'remove') > 0 and (count(*) filter (where p.action = 'keep') <> 1 or count(distinct p.content_hash) <> 1)`,
      )),
    );
  }
  return found;
}

export const planChecks: Check[] = [
  { name: 'a cleanup plan keeps one copy of every content that it removes', run: ({ db }) => unsafePlans(db) },
  {
    name: 'a reviewed cleanup plan says when and by whom',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The cleanup plan %s has a review without its time or its person, or the reverse.', id) as sentence from duplicate_plans
          where (reviewed_digest is null) <> (reviewed_at is null) or (reviewed_at is null) <> (reviewed_by is null)`,
      ),
  },
  {
    name: 'photos that look alike are in groups of at least two, named by their first photo',
    run: ({ db }) =>
      findViolations(
        db,
        sql`select format('The group %s of similar photos has %s photos and starts with %s.', group_id, count(*), min(id)) as sentence
          from photo_hashes where group_id is not null group by group_id having count(*) < 2 or min(id) <> group_id`,
      ),
  },
];
