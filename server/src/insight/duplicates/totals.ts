import { type RawBuilder, sql } from 'kysely';
import { queryWithLimit } from '../reports/index.ts';
import { copiesOf, currentItems, type PlanScope, type Tier, visible } from './query.ts';
import { scores } from './rules.ts';

export interface TierTotals {
  tier: Tier;
  groups: number;
  frees: number;
  kept: number;
  removed: number;
  /** Removed files with tags or notes. */
  annotated: number;
  /** Changes whenever another file would be kept or removed. */
  digest: string;
  /** How many groups each rule decided; 0 is a choice by hand, -1 the first path. */
  decided: Record<string, number>;
}

/** What duplicate groups keep of their items, which is enough for totals and much less to read. */
const keptItems = sql`(select d.key, d.item_id as id, d.library_id, d.folder_id, d.filename, case when p.rel_path = '' then d.filename else p.rel_path || '/' || d.filename end as rel_path,
  'active' as status, null::text as file_category, null::text as content_hash, d.size, d.allocated, d.mtime_ns, d.dev, d.inode, d.nlink, d.annotated, d.pixels
  from duplicate_members d left join folders p on p.id = d.folder_id)`;

/** Groups that need every copy looked at: some copies share their storage, or are on a disk that is not there. */
const isIntricate = ({ offline }: PlanScope): RawBuilder<boolean> =>
  sql<boolean>`(g.stored < g.copies or g.libraries && ${offline}::uuid[])`;

/** Plain groups keep their best copy and remove all others, so that sums over all copies without the best one are enough. */
function plainGroups(scope: PlanScope): RawBuilder<unknown> {
  const { access, plan } = scope;
  const best = (value: RawBuilder<unknown>): RawBuilder<unknown> =>
    sql`(array_agg(${value} order by c.scores desc, c.library, c.rel_path, c.item_id))[1]`;
  const digest = (item: RawBuilder<unknown>, action: RawBuilder<unknown>) => sql`hashtextextended(${item} || ${action}, 0)`;
  return sql`
    select p.tier, p.frees, p.removed, p.annotated, p.digest - ${digest(sql`p.kept`, sql`p.action`)} + ${digest(sql`p.kept`, sql`'keep'`)} as digest,
      first_difference(p.scores) as decided
    from (
      select c.tier, c.action, sum(c.frees) - ${best(sql`c.frees`)} as frees, count(*) - 1 as removed,
        count(*) filter (where c.annotated) - ${best(sql`c.annotated::int`)} as annotated, sum(${digest(sql`c.item_id`, sql`c.action`)}) as digest,
        ${best(sql`c.item_id`)} as kept, array_agg(c.scores order by c.scores desc, c.library, c.rel_path, c.item_id) as scores
      from (
        select g.key, case when g.tier = 'quick_hash' then 'sampled' else 'proven' end as tier, case when g.tier = 'quick_hash' then 'unproven' else 'remove' end as action,
          i.id as item_id, i.rel_path, i.annotated, l.name as library, ${scores(plan.rules, sql<boolean>`c.item_id is not null`)} as scores,
          case when coalesce(i.nlink, 1) <= 1 then coalesce(i.allocated, i.size) else 0 end as frees
        from duplicate_groups g join ${keptItems} i on i.key = g.key join libraries l on l.id = i.library_id
        left join duplicate_choices c on c.plan_id = ${plan.id} and c.key = g.key and c.item_id = i.id
        where not ${isIntricate(scope)} and ${visible(access)}) c
      group by c.key, c.tier, c.action having count(*) > 1) p`;
}

function otherGroups(scope: PlanScope): RawBuilder<unknown> {
  const intricate = sql<boolean>`m.key in (select g.key from duplicate_groups g where ${isIntricate(scope)})`;
  const removed = sql`p.action in ('remove', 'unproven', 'similar')`;
  return sql`select p.tier, sum(p.frees) as frees, count(*) filter (where ${removed}) as removed, count(*) filter (where ${removed} and p.annotated) as annotated,
      sum(hashtextextended(p.item_id || p.action, 0)) as digest, max(p.decided) as decided
    from (${copiesOf('equal', scope, intricate, keptItems)} union all ${copiesOf('similar', scope, sql<boolean>`true`, currentItems)}) p
    group by p.tier, p.key having count(*) filter (where ${removed}) > 0`;
}

export async function planTotals(scope: PlanScope): Promise<TierTotals[]> {
  const query = sql<TierTotals>`
    with groups as materialized (${plainGroups(scope)} union all ${otherGroups(scope)})
    select g.tier, count(*) as groups, sum(g.frees)::float8 as frees, count(*) as kept, sum(g.removed)::bigint as removed, sum(g.annotated)::bigint as annotated,
      md5(sum(g.digest)::text) as digest,
      (select jsonb_object_agg(d.decided, d.groups) from (select coalesce(decided, -1) as decided, count(*) as groups from groups o where o.tier = g.tier group by 1) d) as decided
    from groups g group by g.tier`;
  return queryWithLimit(scope.db, query, 'Ask for fewer rules, or try again later.');
}
