import type { Db } from '../platform/database/index.ts';
import {
  createDatabaseSink,
  createLog,
  type DatabaseSink,
  type Level,
  type Log,
  type LogSink,
  prettySink,
  stdoutSink,
} from '../platform/log/index.ts';
import { formatSettingsErrors, loadSettings, type Settings } from '../settings/index.ts';
import { CommandError } from './command-error.ts';

/** Reads the settings, or throws an error that lists everything that is wrong with them. */
export function readSettings(env: NodeJS.ProcessEnv = process.env): Settings {
  const loaded = loadSettings(env);
  if (!loaded.ok) {
    const notes = loaded.warnings.map((warning) => `  note: ${warning}\n`);
    throw new CommandError([formatSettingsErrors(loaded.errors), ...notes].join('').trimEnd(), 2);
  }
  // Child processes do not repeat the warnings that the supervisor has printed.
  if (!process.send) for (const warning of loaded.warnings) process.stderr.write(`Note: ${warning}\n`);
  return loaded.settings;
}

export function openLog(settings: Settings, name: string, more: readonly LogSink[] = []): Log {
  const sink = process.stdout.isTTY ? prettySink() : stdoutSink();
  return createLog({ name: `catalog.${name}`, level: settings.logLevel.toLowerCase() as Level, sinks: [sink, ...more] });
}

/** Stores log records in the database, where the console reads them. Null when SVC_LOG_DB_ENABLED is false. */
export function openLogSink(settings: Settings, db: Db, source: 'app' | 'worker'): DatabaseSink | null {
  if (!settings.logDbEnabled) return null;
  return createDatabaseSink({ db, source, level: settings.logDbLevel.toLowerCase() as Level, maxRows: settings.logMaxRows });
}
