import type { Generated } from 'kysely';
import type { Level } from './contract.ts';

/** Which process wrote a record. */
export type LogSource = 'app' | 'worker';

export interface AppLogsTable {
  id: Generated<number>;
  ts: Date;
  source: LogSource;
  level: Level;
  logger: string;
  message: string;
  exc: string | null;
}

declare module '../database/tables.ts' {
  interface Tables {
    app_logs: AppLogsTable;
  }
}
