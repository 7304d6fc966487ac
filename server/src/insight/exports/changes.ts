import { hash } from 'node:crypto';
import { sql } from 'kysely';
import type { RecordedRights } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Cell, ReportColumn, RowSource } from '../reports/index.ts';
import { openRowFile, readRowFile } from './row-file.ts';

/** Columns that change with the calendar; a row is not new because of them. */
const calendarColumns = new Set(['age_days', 'missing_days']);
const changeColumn: ReportColumn = { key: 'row_change', label: 'Since last time', type: 'text' };

/** Digests, eight bytes each, so that those of a million rows take 8 MB. */
interface Digests {
  add(digest: bigint): void;
  sorted(): BigUint64Array;
}

function collectDigests(): Digests {
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
    sorted: () => values.slice(0, used).sort(),
  };
}

const bytesOf = (sorted: BigUint64Array): Buffer => Buffer.from(sorted.buffer, sorted.byteOffset, sorted.byteLength);
/** A copy, because the buffer of the driver need not be aligned. */
const digestsIn = (bytes: Buffer): BigUint64Array => new BigUint64Array(new Uint8Array(bytes).buffer);

function includes(sorted: BigUint64Array, digest: bigint): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] as bigint) < digest) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === digest;
}

const digestOf = (cells: readonly (Cell | undefined)[]): bigint => hash('sha256', JSON.stringify(cells), 'buffer').readBigUInt64LE(0);

/** What a run remembers for the next one. */
export interface RunMemory {
  digests: Buffer;
  keys: Buffer;
  /** A digest of the report and its filters. */
  subject: string;
  /** A digest of the rights of the owner. */
  access: string;
}

export interface EarlierRun extends RunMemory {
  export_id: string;
}

/**
 * Only rows that are new, differ from those of an earlier run, or are gone since; the first column says which. All rows are written to the
 * row file of this export for the next run. Rows that are gone are listed only if the owner has the same rights as then, because a row that
 * the owner may no longer see looks the same as one that is gone. A run of another report or with other filters is not compared.
 */
export function changedRows(
  source: RowSource,
  last: EarlierRun | null,
  { folder, exportId, subject: about, access }: { folder: string; exportId: string; subject: string; access: string },
): { source: RowSource; memory(): RunMemory } {
  const subject = hash('sha256', about, 'hex');
  // Runs of earlier versions have no subject.
  const earlier = last?.subject === subject || last?.subject === '' ? last : null;
  const [digests, keys] = [collectDigests(), collectDigests()];
  const stable = source.columns.flatMap(({ key }, at) => (calendarColumns.has(key) ? [] : [at]));
  const keyAt = source.columns.findIndex(({ key }) => key === source.rowKey);
  const rowDigest = (row: readonly Cell[]): bigint => digestOf(stable.map((at) => row[at] ?? null));
  const keyDigest = (row: readonly Cell[]): bigint => (keyAt < 0 ? rowDigest(row) : digestOf([row[keyAt] ?? null]));
  const known = earlier && { digests: digestsIn(earlier.digests), keys: digestsIn(earlier.keys) };
  const changed: RowSource = {
    ...source,
    columns: [changeColumn, ...source.columns],
    async *batches(options) {
      const file = await openRowFile(folder, exportId);
      try {
        for await (const batch of source.batches(options)) {
          const fresh: Cell[][] = [];
          for (const row of batch) {
            const [digest, key] = [rowDigest(row), keyDigest(row)];
            digests.add(digest);
            keys.add(key);
            if (!known || !includes(known.digests, digest)) fresh.push([known && includes(known.keys, key) ? 'changed' : 'new', ...row]);
          }
          await file.write(batch);
          if (fresh.length > 0) yield fresh;
        }
        await file.finish();
      } finally {
        file.close();
      }
      if (!earlier || earlier.access !== access) return;
      const present = keys.sorted();
      for await (const batch of readRowFile(folder, earlier.export_id)) {
        options.signal?.throwIfAborted();
        // A report whose columns were changed since then cannot show its earlier rows.
        const gone = batch.filter((row) => row.length === source.columns.length && !includes(present, keyDigest(row)));
        if (gone.length > 0) yield gone.map((row) => ['gone', ...row]);
      }
    },
  };
  return { source: changed, memory: () => ({ digests: bytesOf(digests.sorted()), keys: bytesOf(keys.sorted()), subject, access }) };
}

/** A digest of all rights that decide what rows contain. */
export function accessDigest(rights: RecordedRights): string {
  return hash('sha256', JSON.stringify(rights), 'hex');
}

/** What the last run of a schedule that was delivered remembered. */
export async function deliveredRun(db: Db, scheduleId: string): Promise<EarlierRun | null> {
  const { rows } = await sql<EarlierRun>`select export_id, digests, keys, subject, access from export_digests
    where schedule_id = ${scheduleId} and delivered order by export_id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Replaces what runs remembered that were not delivered. */
export async function saveMemory(db: Db, exportId: string, scheduleId: string, memory: RunMemory): Promise<void> {
  const { digests, keys, subject, access } = memory;
  await sql`with older as (delete from export_digests where schedule_id = ${scheduleId} and export_id < ${exportId} and not delivered)
    insert into export_digests (export_id, schedule_id, digests, keys, subject, access)
    values (${exportId}, ${scheduleId}, ${digests}, ${keys}, ${subject}, ${access})
    on conflict (export_id) do update set digests = excluded.digests, keys = excluded.keys, subject = excluded.subject, access = excluded.access`.execute(
    db,
  );
}

/** From now on, later runs are compared with this one. */
export async function markDigestsDelivered(db: Db, exportId: string, scheduleId: string): Promise<void> {
  await sql`with older as (delete from export_digests where schedule_id = ${scheduleId} and export_id < ${exportId})
    update export_digests set delivered = true where export_id = ${exportId}`.execute(db);
}

/** Of these exports, those whose rows a later run may be compared with. */
export async function rememberedExports(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ export_id: string }>`select export_id from export_digests where export_id = any(${ids}::uuid[])`.execute(db);
  return new Set(rows.map(({ export_id }) => export_id));
}
