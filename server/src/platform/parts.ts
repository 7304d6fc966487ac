import type { Settings } from '../settings/index.ts';
import type { Clock } from './clock.ts';
import type { Database, Db } from './database/index.ts';
import type { Log } from './log/index.ts';

/** What a room is built from. Handed down once; a test hands in its own. */
export interface Parts {
  db: Db;
  database: Database;
  settings: Settings;
  log: Log;
  clock: Clock;
}
