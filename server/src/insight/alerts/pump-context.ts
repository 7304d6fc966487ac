import type { Db } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Settings } from '../../settings/index.ts';

/** What one run of the pump works with. `now` is fixed, so that every decision of a run is made at one time. */
export interface PumpContext {
  db: Db;
  log: Log;
  settings: Settings;
  now: Date;
  signal?: AbortSignal;
}
