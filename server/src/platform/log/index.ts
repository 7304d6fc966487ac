export { type Level, levels, type Log, type LogRecord, type LogSink } from './contract.ts';
export { createDatabaseSink, type DatabaseSink, type DatabaseSinkOptions } from './database-sink.ts';
export { createLog, prettySink, silentLog, stdoutSink } from './log.ts';
export { purgeLogs, readLogs } from './stored-logs.ts';
