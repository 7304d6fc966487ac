import type { LogSink } from './contract.ts';

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
