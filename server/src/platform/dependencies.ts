import type { Settings } from '../settings/index.ts';
import type { Clock } from './clock.ts';
import type { Database, Db, Replica } from './database/index.ts';
import type { Log } from './log/index.ts';

/** What every capability is built from. Created once per process; tests pass their own. */
export interface Dependencies {
  db: Db;
  database: Database;
  /** For reads that may be a moment old; see readFrom(). */
  replica?: Replica | undefined;
  settings: Settings;
  log: Log;
  clock: Clock;
}
