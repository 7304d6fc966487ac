import type { Generated } from 'kysely';

export type Level = 'debug' | 'info' | 'warning' | 'error' | 'critical';
export const levels: readonly Level[] = ['debug', 'info', 'warning', 'error', 'critical'];

export interface LogRecord {
  ts: Date;
  level: Level;
  /** Dotted name; Catalog's own loggers begin with `catalog.`. */
  logger: string;
  message: string;
  /** Stack trace of an error. */
  traceback?: string;
  fields?: Record<string, unknown>;
}

/** A destination for log records. `write` must not throw or block; a sink that cannot keep up drops records. */
export interface LogSink {
  /** The lowest level this sink accepts; the level of the log when omitted. */
  level?: Level;
  write(record: LogRecord): void;
  close?(): Promise<void>;
}

export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warning(message: string, fields?: Record<string, unknown>): void;
  /** If `fields.error` is an Error, its stack becomes the traceback. */
  error(message: string, fields?: Record<string, unknown>): void;
  critical(message: string, fields?: Record<string, unknown>): void;
  child(name: string): Log;
}

/** The process that wrote a record. */
export type LogSource = 'app' | 'worker';

interface AppLogsTable {
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
