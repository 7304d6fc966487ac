import type { Database } from '../../platform/database/index.ts';

/** The moment of the database and the generation of all rights at that moment. */
export interface AccessMoment {
  generation: string;
  now: number;
}

const asked = new WeakMap<Database['pool'], Promise<AccessMoment>>();

/**
 * Reads the generation. Requests that arrive in one turn of the event loop share one reading, which is sent after the last of them has
 * arrived: each is told a value that is no older than itself.
 */
export function readGeneration({ pool }: Pick<Database, 'pool'>): Promise<AccessMoment> {
  const shared = asked.get(pool);
  if (shared) return shared;
  const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
    // From here on the question is on its way: whoever comes later asks anew.
    asked.delete(pool);
    const { rows } = await pool.query<AccessMoment>({ name: 'access-generation', text: statement });
    return rows[0]!;
  });
  asked.set(pool, reading);
  return reading;
}

const statement = `select generation, extract(epoch from now())::float8 * 1000 as now from access_generation`;
