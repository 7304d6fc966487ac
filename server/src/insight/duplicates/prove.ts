import { sql } from 'kysely';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import { type Ownership, ownedBy, ownerOf } from '../../people/identity/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { enqueue, type Task } from '../../platform/queue/index.ts';
import { accessToView, type ReportAccess } from '../reports/index.ts';

const payload = Type.Object({
  owner: Type.Object({
    kind: Type.Enum(['user', 'service', 'open']),
    id: Type.Union([Type.String(), Type.Null()]),
    keyId: Type.Union([Type.String(), Type.Null()]),
  }),
  /** One group; null means all sampled groups. */
  key: Type.Union([Type.String(), Type.Null()]),
});

export const proveJob: Task<typeof payload> = {
  name: 'prove_duplicates',
  queue: 'maintenance',
  payload,
  attempts: 2,
  ageExempt: true,
  perform: () => Promise.reject(new Error('Only a worker reads files.')),
};

const lockOf = ({ owner, key }: Ownership): string => `prove_duplicates ${key ?? owner ?? 'open'}`;

/** Reads sampled copies in full, so that each group is proven or dissolved. Every copy that the caller sees counts. */
export async function startProof(db: Db, principal: Principal, key: string | null): Promise<string> {
  const access = accessToView(await visibilityOf(db, principal));
  const first = await sampledCopies(db, access, key, firstId, 1);
  if (first.length === 0) throw problem('nothing_to_prove');
  const job = await enqueue(db, proveJob, { owner: ownerOf(principal), key }, { lock: lockOf(ownedBy(principal)) });
  if (job === null) throw problem('nothing_to_prove', 'Your sampled groups are being read already. Wait until that is done.');
  return job;
}

export interface Proof {
  job_id: string;
  state: 'todo' | 'doing' | 'aborting';
  progress: Record<string, unknown> | null;
}

/** The unfinished proof that the caller started. */
export async function runningProof(db: Db, principal: Principal): Promise<Proof | null> {
  const { rows } = await sql<Proof>`select id as job_id, state, progress from jobs
    where lock = ${lockOf(ownedBy(principal))} and state in ('todo', 'doing', 'aborting')`.execute(db);
  return rows[0] ?? null;
}

export const firstId = '00000000-0000-0000-0000-000000000000';

export async function sampledCopies(
  db: Db,
  access: ReportAccess,
  key: string | null,
  after: string,
  limit: number,
): Promise<{ id: string; size: number }[]> {
  const { rows } = await sql<{ id: string; size: number }>`select i.id, i.size from duplicate_members m join items i on i.id = m.item_id
    where m.prefix >= 'q' and m.prefix < 'r' and (${key}::text is null or m.key = ${key}) and i.id > ${after}::uuid and i.status = 'active' and i.content_hash is null
      and i.library_id in (select id from libraries) and ${access.whereItem('i')} order by i.id limit ${limit}`.execute(db);
  return rows;
}
