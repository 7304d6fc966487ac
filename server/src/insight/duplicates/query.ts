import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { annotated, pixels } from '../copies/index.ts';
import { queryWithLimit, type ReportAccess } from '../reports/index.ts';
import { scores } from './rules.ts';
import type { PlanRow } from './store.ts';

/** proven: every byte was compared. sampled: size and samples agree. similar: photos that look alike. */
export const tiers = ['proven', 'sampled', 'similar'] as const;
export type Tier = (typeof tiers)[number];

/**
 * keep: the kept copy of its group. remove: a proven copy of it. unproven and similar: could be removed, but is in no script.
 * shares_storage: another name of the kept file, which frees nothing. offline: on a disk that is not there, so that nothing is decided.
 */
export const actions = ['keep', 'remove', 'unproven', 'similar', 'shares_storage', 'offline'] as const;
export type PlanAction = (typeof actions)[number];

export interface PlanScope {
  db: Db;
  access: ReportAccess;
  plan: PlanRow;
  /** Libraries whose folder cannot be reached now. */
  offline: readonly string[];
  /** Identifies what the caller sees. */
  seen: string;
}

export const visible = (access: ReportAccess): RawBuilder<boolean> =>
  sql<boolean>`i.status = 'active' and i.library_id in (select id from libraries) and ${access.whereItem('i')}`;

/** Equal files, or one file of each content of pictures that look alike. */
function members(kind: GroupKind, access: ReportAccess): RawBuilder<unknown> {
  return kind === 'equal'
    ? sql`select item_id, key, prefix, case when key like 'q%' then 'sampled' else 'proven' end as tier from duplicate_members`
    : sql`select f.id as item_id, 's' || h.group_id as key, 's' as prefix, 'similar' as tier from photo_hashes h
        cross join lateral (select i.id from items i where left(i.content_hash, 8) = left(h.content_hash, 8) and i.content_hash = h.content_hash and ${visible(access)}
          order by i.id limit 1) f
        where h.group_id is not null`;
}

type GroupKind = 'equal' | 'similar';

/** Items as they are now. */
export const currentItems = sql`(select i.*, ${annotated} as annotated, ${pixels} as pixels from items i)`;

/** Equal for names of one file. The library tells the machine, because equal file numbers of two machines mean nothing. */
const storage = sql`coalesce(i.dev || ':' || i.inode || coalesce(':' || l.source_agent_id, ''), i.id::text)`;

/** Every copy of the groups in question with what the plan does to it, best copy first. */
export function copiesOf(
  kind: GroupKind,
  { access, plan, offline }: PlanScope,
  keys: RawBuilder<boolean>,
  items: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`
    select r.*, case when r.offline then 'offline' when r.rank = 1 then 'keep' when r.storage = r.kept_storage then 'shares_storage'
        when r.tier = 'sampled' then 'unproven' when r.tier = 'similar' then 'similar' else 'remove' end as action,
      case when not r.offline and r.storage <> r.kept_storage and r.storage_rank = 1 and r.nlink <= r.names then r.on_disk else 0 end as frees,
      case when r.rank = 1 and not r.offline and r.next_scores is not null then first_difference(array[r.scores, r.next_scores]) end as decided
    from (
      select m.key, m.tier, i.id as item_id, i.library_id, l.name as library, i.rel_path, i.filename, i.file_category, i.size, coalesce(i.allocated, i.size) as on_disk, i.mtime_ns, i.content_hash,
        coalesce(i.nlink, 1) as nlink, i.annotated, s.scores, i.library_id = any(${offline}::uuid[]) as offline, ${storage} as storage,
        count(*) over (partition by m.key) as visible_copies,
        row_number() over w as rank, lead(s.scores) over w as next_scores, 
        first_value(i.library_id) over w as kept_library_id, first_value(i.rel_path) over w as kept_rel_path, first_value(${storage}) over w as kept_storage,
        row_number() over (partition by m.key, ${storage} order by i.id) as storage_rank, count(*) over (partition by m.key, ${storage}) as names
      from (${members(kind, access)}) m
      join ${items} i on i.id = m.item_id join libraries l on l.id = i.library_id
      left join duplicate_choices c on c.plan_id = ${plan.id} and c.key = m.key and c.item_id = i.id
      cross join lateral (select ${scores(plan.rules, sql<boolean>`c.item_id is not null`)} as scores) s
      where ${keys} and ${visible(access)}
      window w as (partition by m.key, i.library_id = any(${offline}::uuid[]) order by s.scores desc, l.name, i.rel_path, i.id)) r
    where r.visible_copies > 1`;
}

/** Every copy of all groups of both kinds. */
export function plannedCopies(scope: PlanScope): RawBuilder<unknown> {
  const all = sql<boolean>`true`;
  return sql`${copiesOf('equal', scope, all, currentItems)} union all ${copiesOf('similar', scope, all, currentItems)}`;
}

export interface PlannedGroup {
  key: string;
  tier: Tier;
  size: number;
  copies: number;
  wasted: number;
  frees: number;
  offline: number;
  item_id: string;
  library_id: string;
  library: string;
  rel_path: string;
  file_category: string;
  decided: number | null;
}

export interface GroupPosition {
  wasted: number;
  key: string;
}

/** Groups by what they waste, largest first. */
export async function planGroups(
  scope: PlanScope,
  { tier, after, limit }: { tier: Tier | null; after: GroupPosition | null; limit: number },
): Promise<PlannedGroup[]> {
  const beyond = after ? sql<boolean>`(g.wasted, g.key) < (${after.wasted}::bigint, ${after.key})` : sql<boolean>`true`;
  const wanted =
    tier === null
      ? sql<boolean>`true`
      : sql<boolean>`g.tier = ${{ proven: 'content_hash', sampled: 'quick_hash', similar: 'similar' }[tier]}`;
  const whole = scope.access.split('i').whole === 'all';
  const kind = tier === 'similar' ? 'similar' : 'equal';
  const groups =
    kind === 'similar'
      ? sql`select m.key, m.prefix, 'similar' as tier, (sum(i.size) - max(i.size))::bigint as wasted from (${members(kind, scope.access)}) m
          join items i on i.id = m.item_id group by m.key, m.prefix having count(*) > 1`
      : whole
        ? sql`select key, prefix, tier, wasted from duplicate_groups`
        : sql`select v.key, v.prefix, case when v.key like 'q%' then 'quick_hash' else 'content_hash' end as tier, v.size * (v.stored - 1) as wasted from (
        select m.key, m.prefix, max(i.size) as size, count(distinct ${storage}) as stored
        from duplicate_members m join items i on i.id = m.item_id join libraries l on l.id = i.library_id where ${visible(scope.access)} group by m.key, m.prefix having count(*) > 1) v`;
  const query = sql<PlannedGroup>`
    with page as materialized (
      select g.key, g.prefix, g.wasted from (${groups}) g where g.wasted > 0 and ${wanted} and ${beyond} order by g.wasted desc, g.key desc limit ${limit})
    select f.key, f.tier, f.size, f.group_copies as copies, page.wasted, f.group_frees as frees, f.group_offline as offline, f.item_id, f.library_id, f.library,
      f.rel_path, f.file_category, f.decided
    from page join lateral (
      select p.*, count(*) over () as group_copies, (sum(p.frees) over ())::bigint as group_frees, count(*) filter (where p.offline) over () as group_offline
      from (${copiesOf(kind, scope, sql<boolean>`m.prefix = page.prefix and m.key = page.key`, currentItems)}) p order by p.offline, p.rank limit 1) f on true
    order by page.wasted desc, page.key desc`;
  return queryWithLimit(scope.db, query, 'Try again later.');
}

export interface PlannedCopy {
  item_id: string;
  library_id: string;
  library: string;
  rel_path: string;
  size: number;
  /** Milliseconds since 1970. */
  mtime: number;
  action: PlanAction;
  annotated: boolean;
  decided: number | null;
}

export async function groupCopies(scope: PlanScope, key: string, page: { limit: number; offset: number }): Promise<PlannedCopy[]> {
  const query = sql<PlannedCopy>`select p.item_id, p.library_id, p.library, p.rel_path, p.size, p.mtime_ns / 1000000 as mtime, p.action, p.annotated, p.decided
    from (${copiesOf(key.startsWith('s') ? 'similar' : 'equal', scope, ofGroup(key), currentItems)}) p order by p.offline, p.rank limit ${page.limit} offset ${page.offset}`;
  return queryWithLimit(scope.db, query, 'Try again later.');
}

/** The prefix leads to the index; the key of similar photos is the number of their group. The key of a proven group is a content hash, and that of a sampled one starts with its quick hash. */
const ofGroup = (key: string): RawBuilder<boolean> =>
  sql<boolean>`m.prefix = ${key.startsWith('s') ? 's' : key.startsWith('q') ? (key.split(':')[0] ?? key) : key.slice(0, 8)} and m.key = ${key}`;
