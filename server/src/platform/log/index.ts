export { type Level, type Log, type LogRecord, type LogSink, levels } from './contract.ts';
export { createLog, silentLog, stdoutSink } from './log.ts';
export { prettySink } from './pretty-sink.ts';
