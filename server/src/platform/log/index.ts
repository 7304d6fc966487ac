export { type Level, type Log, type LogRecord, type LogSink, levels } from './contract.ts';
export { createDatabaseSink, type DatabaseSink, type DatabaseSinkOptions } from './database-sink.ts';
export { createLog, prettySink, silentLog, stdoutSink } from './log.ts';
export { purgeLogs, readLogs } from './stored-logs.ts';
