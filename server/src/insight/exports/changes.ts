import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Cell, RowSource } from '../reports/index.ts';

/** Columns that change with the calendar; a row is not new because of them. */
const calendarColumns = new Set(['age_days', 'missing_days']);

/** Digests of rows, eight bytes each, so that a million rows take 8 MB. */
export interface RowDigests {
  add(digest: bigint): void;
  /** Sorted, as they are stored. */
  bytes(): Buffer;
}

export function collectDigests(): RowDigests {
  let values = new BigUint64Array(1024);
  let used = 0;
  return {
    add(digest) {
      if (used === values.length) {
        const larger = new BigUint64Array(values.length * 2);
        larger.set(values);
        values = larger;
      }
      values[used] = digest;
      used += 1;
    },
    bytes() {
      const sorted = values.slice(0, used).sort();
      return Buffer.from(sorted.buffer, sorted.byteOffset, sorted.byteLength);
    },
  };
}

function includes(sorted: BigUint64Array, digest: bigint): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as bigint) < digest) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === digest;
}

/** Only rows that are new or differ from those of an earlier run. Every row is added to `collected`, whether it is part of the result or not. */
export function changedRows(source: RowSource, previous: Buffer | null, collected: RowDigests): RowSource {
  // A copy, because the buffer of the driver need not be aligned.
  const known = new BigUint64Array(previous ? new Uint8Array(previous).buffer : new ArrayBuffer(0));
  const stable = source.columns.flatMap(({ key }, at) => (calendarColumns.has(key) ? [] : [at]));
  const digestOf = (row: readonly Cell[]): bigint =>
    hash('sha256', JSON.stringify(stable.map((at) => row[at] ?? null)), 'buffer').readBigUInt64LE(0);
  return {
    ...source,
    async *batches(options) {
      for await (const batch of source.batches(options)) {
        const fresh = batch.filter((row) => {
          const digest = digestOf(row);
          collected.add(digest);
          return previous === null || !includes(known, digest);
        });
        if (fresh.length > 0) yield fresh;
      }
    },
  };
}

/** The digests of the last run of a schedule that was delivered. */
export async function deliveredDigests(db: Db, scheduleId: string): Promise<Buffer | null> {
  const { rows } = await sql<{ digests: Buffer }>`select digests from export_digests where schedule_id = ${scheduleId} and delivered
    order by export_id desc limit 1`.execute(db);
  return rows[0]?.digests ?? null;
}

export async function saveDigests(db: Db, exportId: string, scheduleId: string, digests: Buffer): Promise<void> {
  await sql`insert into export_digests (export_id, schedule_id, digests) values (${exportId}, ${scheduleId}, ${digests})
    on conflict (export_id) do update set digests = excluded.digests`.execute(db);
}

/** From now on, later runs are compared with this one. */
export async function markDigestsDelivered(db: Db, exportId: string, scheduleId: string): Promise<void> {
  await sql`with older as (delete from export_digests where schedule_id = ${scheduleId} and export_id < ${exportId})
    update export_digests set delivered = true where export_id = ${exportId}`.execute(db);
}
