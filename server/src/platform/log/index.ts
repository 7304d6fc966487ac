export { type Level, type Log, type LogRecord, type LogSink, levels } from './contract.ts';
export { createDatabaseSink, type DatabaseSink, type DatabaseSinkOptions } from './database-sink.ts';
export { createLog, silentLog, stdoutSink } from './log.ts';
export { purgeLogs } from './log-retention.ts';
export { prettySink } from './pretty-sink.ts';
export { type LogFilter, type LogPage, maxLogsPerPage, readLogs } from './read-logs.ts';
export type { AppLogsTable, LogSource } from './tables.ts';
