import { type Level, type Log, type LogRecord, type LogSink, levels } from './contract.ts';

/** A log that hands each record of at least `level` to every sink that does not ask for another level. */
export function createLog(options: { name: string; level: Level; sinks: readonly LogSink[]; now?: () => Date }): Log {
  const { name, level, sinks, now = () => new Date() } = options;
  const floors = sinks.map((sink) => levels.indexOf(sink.level ?? level));
  const lowest = Math.min(...floors);
  const write = (at: Level, message: string, fields: Record<string, unknown> = {}): void => {
    const rank = levels.indexOf(at);
    if (rank < lowest) return;
    const { error, ...rest } = fields;
    const record: LogRecord = { ts: now(), level: at, logger: name, message };
    if (error instanceof Error) record.traceback = error.stack ?? error.message;
    else if (error !== undefined) rest['error'] = String(error);
    if (Object.keys(rest).length > 0) record.fields = rest;
    for (const [place, sink] of sinks.entries()) if (rank >= floors[place]!) sink.write(record);
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

/** One JSON object a line, for machines that collect standard output. */
export function stdoutSink(out: { write(text: string): unknown } = process.stdout): LogSink {
  return {
    write({ ts, level, logger, message, traceback, fields }) {
      out.write(`${JSON.stringify({ ts: ts.toISOString(), level, logger, message, ...fields, ...(traceback ? { traceback } : {}) })}\n`);
    },
  };
}

/** Swallows everything; for tests and one-shot commands. */
export const silentLog: Log = createLog({ name: 'catalog', level: 'critical', sinks: [] });

const colours = { debug: 90, info: 36, warning: 33, error: 31, critical: 35 } as const;

/** One short line a record, for a person at a terminal. */
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
