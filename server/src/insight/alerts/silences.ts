import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { GroupRow, SilenceRow } from './tables.ts';

/**
 * A silence suppresses messages until it ends: incidents are not sent at all, and a condition that still lasts at the end is sent then.
 * Quiet hours repeat daily. Alerts that fire during them are sent when they end.
 */
const columns = sql`id, rule_id, library_id, dedup_key, reason, starts_at, ends_at, daily_from, daily_to, time_zone, created_by, created_at`;

/** Silences that are active, come later or repeat. */
export async function listSilences(db: Db, now: Date): Promise<SilenceRow[]> {
  const { rows } =
    await sql<SilenceRow>`select ${columns} from alert_silences where ends_at is null or ends_at > ${now} order by created_at desc limit 500`.execute(
      db,
    );
  return rows;
}

export async function findSilence(db: Db, id: string): Promise<SilenceRow | undefined> {
  const { rows } = await sql<SilenceRow>`select ${columns} from alert_silences where id = ${id}`.execute(db);
  return rows[0];
}

/** The row stays locked until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockSilence(tx: Db, id: string): Promise<SilenceRow | undefined> {
  const { rows } = await sql<SilenceRow>`select ${columns} from alert_silences where id = ${id} for no key update`.execute(tx);
  return rows[0];
}

export async function insertSilence(db: Db, s: Omit<SilenceRow, 'id' | 'created_at'>): Promise<SilenceRow> {
  const { rows } =
    await sql<SilenceRow>`insert into alert_silences (rule_id, library_id, dedup_key, reason, starts_at, ends_at, daily_from, daily_to, time_zone, created_by)
    values (${s.rule_id}, ${s.library_id}, ${s.dedup_key}, ${s.reason}, ${s.starts_at}, ${s.ends_at}, ${s.daily_from}, ${s.daily_to}, ${s.time_zone}, ${s.created_by})
    returning ${columns}`.execute(db);
  return one(rows);
}

type SilenceChange = Pick<SilenceRow, 'rule_id' | 'library_id' | 'reason' | 'ends_at' | 'daily_from' | 'daily_to' | 'time_zone'>;

export async function updateSilence(db: Db, id: string, s: SilenceChange): Promise<SilenceRow | undefined> {
  const { rows } =
    await sql<SilenceRow>`update alert_silences set rule_id = ${s.rule_id}, library_id = ${s.library_id}, reason = ${s.reason},
      ends_at = ${s.ends_at}, daily_from = ${s.daily_from}, daily_to = ${s.daily_to}, time_zone = ${s.time_zone}
    where id = ${id} returning ${columns}`.execute(db);
  return rows[0];
}

export async function deleteSilence(db: Db, id: string): Promise<void> {
  await sql`delete from alert_silences where id = ${id}`.execute(db);
}

export async function purgeSilences(db: Db, before: Date): Promise<void> {
  await sql`delete from alert_silences where ends_at < ${before}`.execute(db);
}

/** Alerts that a silence held are looked at again when it is removed or changed. */
export async function wakeSilenced(db: Db, now: Date): Promise<void> {
  await sql`update alert_groups set due_at = ${now} where state <> 'resolved' and held like 'silenced%'`.execute(db);
}

export interface ActiveSilence {
  until: Date;
  /** Quiet hours delay; a silence suppresses. */
  delays: boolean;
  reason: string;
}

/** The silence of an alert that ends last, or null. Quiet hours only delay, but not what another silence suppresses. */
export function activeSilence(
  silences: readonly SilenceRow[],
  group: Pick<GroupRow, 'rule_id' | 'library_id' | 'dedup_key'>,
  now: Date,
): ActiveSilence | null {
  const active: ActiveSilence[] = [];
  for (const silence of silences) {
    if (silence.rule_id !== null && silence.rule_id !== group.rule_id) continue;
    if (silence.library_id !== null && silence.library_id !== group.library_id) continue;
    if (silence.dedup_key !== null && silence.dedup_key !== group.dedup_key) continue;
    const until =
      silence.starts_at > now ? null : silence.ends_at ? (silence.ends_at > now ? silence.ends_at : null) : quietUntil(silence, now);
    if (until) active.push({ until, delays: silence.ends_at === null, reason: silence.reason });
  }
  const [first, ...others] = active;
  if (!first) return null;
  const last = others.reduce((longest, each) => (each.until > longest.until ? each : longest), first);
  return { ...last, delays: active.every(({ delays }) => delays) };
}

/** When the quiet hours that contain `now` end, or null outside of them. They may cross midnight. */
function quietUntil(
  { daily_from, daily_to, time_zone }: Pick<SilenceRow, 'daily_from' | 'daily_to' | 'time_zone'>,
  now: Date,
): Date | null {
  if (daily_from === null || daily_to === null) return null;
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const minutesAt = (minute: number): number => minutes(localTime(new Date(minute * 60_000), time_zone ?? 'UTC'));
  const [from, to, at] = [minutes(daily_from), minutes(daily_to), minutesAt(now.getTime() / 60_000)];
  const inside = from < to ? at >= from && at < to : at >= from || at < to;
  if (!inside) return null;
  const left = (to - at + 1440) % 1440 || 1440;
  const end = Math.floor(now.getTime() / 60_000) + left;
  // Clocks may be set forward or back until then. Some days do not have every time.
  const late = ((minutesAt(end) - to + 2160) % 1440) - 720;
  return new Date((minutesAt(end - late) === to ? end - late : end) * 60_000);
}

function localTime(now: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(now);
}

export function isTimeZone(name: string): boolean {
  try {
    localTime(new Date(), name);
    return true;
  } catch {
    return false;
  }
}
