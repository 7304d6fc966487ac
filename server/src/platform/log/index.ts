export { type Level, type Log, type LogRecord, type LogSink, levels } from './contract.ts';
export { createDatabaseSink, type DatabaseSink, type DatabaseSinkOptions } from './database-sink.ts';
export { createLog, silentLog, stdoutSink } from './log.ts';
export { purgeLogs } from './stored-logs.ts';
export { prettySink } from './log.ts';
export { type LogFilter, type LogPage, maxLogsPerPage, readLogs } from './stored-logs.ts';
export type { AppLogsTable, LogSource } from './contract.ts';
