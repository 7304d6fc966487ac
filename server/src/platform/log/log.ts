import { type Level, type Log, type LogRecord, type LogSink, levels } from './contract.ts';

/** Writes each record to every sink whose level (or else the level of the log) it reaches. */
export function createLog(options: { name: string; level: Level; sinks: readonly LogSink[]; now?: () => Date }): Log {
  const { name, level, sinks, now = () => new Date() } = options;
  const targets = sinks.map((sink) => ({ sink, minRank: levels.indexOf(sink.level ?? level) }));
  const lowest = Math.min(...targets.map(({ minRank }) => minRank));
  const write = (at: Level, message: string, fields: Record<string, unknown> = {}): void => {
    const rank = levels.indexOf(at);
    if (rank < lowest) return;
    const { error, ...rest } = fields;
    const record: LogRecord = { ts: now(), level: at, logger: name, message };
    if (error instanceof Error) record.traceback = error.stack ?? error.message;
    else if (error !== undefined) rest['error'] = String(error);
    if (Object.keys(rest).length > 0) record.fields = rest;
    for (const { sink, minRank } of targets) if (rank >= minRank) sink.write(record);
  };
  return {
    debug: (message, fields) => write('debug', message, fields),
    info: (message, fields) => write('info', message, fields),
    warning: (message, fields) => write('warning', message, fields),
    error: (message, fields) => write('error', message, fields),
    critical: (message, fields) => write('critical', message, fields),
    child: (part) => createLog({ ...options, name: `${name}.${part}` }),
  };
}

/** One JSON object per line, for log collectors. */
export function stdoutSink(out: { write(text: string): unknown } = process.stdout): LogSink {
  return {
    write({ ts, level, logger, message, traceback, fields }) {
      out.write(`${JSON.stringify({ ts: ts.toISOString(), level, logger, message, ...fields, ...(traceback ? { traceback } : {}) })}\n`);
    },
  };
}

/** Discards all records; for tests and one-shot commands. */
export const silentLog: Log = createLog({ name: 'catalog', level: 'critical', sinks: [] });

const colours = { debug: 90, info: 36, warning: 33, error: 31, critical: 35 } as const;

/** One short coloured line per record, for terminals. */
export function prettySink(out: { write(text: string): unknown } = process.stdout): LogSink {
  return {
    write({ ts, level, logger, message, traceback }) {
      const time = ts.toISOString().slice(11, 19);
      out.write(
        `\x1b[90m${time}\x1b[0m \x1b[${colours[level]}m${level.padEnd(7)}\x1b[0m \x1b[90m${logger.replace(/^catalog\./, '')}\x1b[0m ${message}\n`,
      );
      if (traceback && level !== 'info') out.write(`\x1b[90m${traceback}\x1b[0m\n`);
    },
  };
}
