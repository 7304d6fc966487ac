import type { Generated } from 'kysely';

export type Level = 'debug' | 'info' | 'warning' | 'error' | 'critical';
export const levels: readonly Level[] = ['debug', 'info', 'warning', 'error', 'critical'];

export interface LogRecord {
  ts: Date;
  level: Level;
  /** Dotted name; ours begin with `catalog.`. */
  logger: string;
  message: string;
  /** Stack of an error, kept for people who may read the log. */
  traceback?: string;
  fields?: Record<string, unknown>;
}

/** Where records go. `write` never throws and never waits: a sink that cannot keep up drops. */
export interface LogSink {
  /** Least severe record it takes; the log's own level when left out. */
  level?: Level;
  write(record: LogRecord): void;
  close?(): Promise<void>;
}

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warning(message: string, fields?: Record<string, unknown>): void;
  /** `fields.error` may be an Error: its stack becomes the traceback. */
  error(message: string, fields?: Record<string, unknown>): void;
  critical(message: string, fields?: Record<string, unknown>): void;
  child(name: string): Log;
}

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
