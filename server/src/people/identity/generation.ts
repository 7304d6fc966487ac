import type { Database } from '../../platform/database/index.ts';

/** The moment of the database and the generation of all rights at that moment. */
export interface AccessState {
  generation: string;
  now: number;
}

const pendingReads = new WeakMap<Database['pool'], Promise<AccessState>>();

/**
 * Reads the generation. Requests that arrive in one turn of the event loop share one reading, which is sent after the last of them has
 * arrived: each is told a value that is no older than itself.
 */
export function readAccessState({ pool }: Pick<Database, 'pool'>): Promise<AccessState> {
  const shared = pendingReads.get(pool);
  if (shared) return shared;
  const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
    // From here on the question is on its way: whoever comes later asks anew.
    pendingReads.delete(pool);
    const { rows } = await pool.query<AccessState>({ name: 'access-generation', text: statement });
    return rows[0]!;
  });
  pendingReads.set(pool, reading);
  return reading;
}

const statement = `select generation, extract(epoch from now())::float8 * 1000 as now from access_generation`;
