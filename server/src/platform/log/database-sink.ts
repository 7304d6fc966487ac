import { sql } from 'kysely';
import { type Db, storableText } from '../database/index.ts';
import { type Level, type LogRecord, type LogSink, type LogSource, levels } from './contract.ts';
import { trimLogs } from './stored-logs.ts';

/**
 * Stores log records in the database for the console. It buffers a bounded number of records, writes them in batches, and drops what it
 * cannot write. It never throws, blocks or logs; once writing works again, one record reports how many were dropped.
 *
 * idle -> waiting  a record arrives; a flush is due after `flushMs`.
 * waiting -> writing -> idle  one insert at a time.
 * writing -> resting  the insert failed: its records are dropped, and the next flush comes after `restMs`. Records are dropped while the
 *                     buffer is full.
 */
export interface DatabaseSinkOptions {
  db: Db;
  source: LogSource;
  /** SVC_LOG_DB_LEVEL: the lowest level stored for Catalog's own loggers. For others it is `warning`. */
  level: Level;
  /** SVC_LOG_MAX_ROWS. */
  maxRows: number;
  flushMs?: number;
  restMs?: number;
  bufferLimit?: number;
}

export interface DatabaseSink extends LogSink {
  /** Writes the buffered records; also resolves when they were dropped. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const rowsPerInsert = 1_000;

export function createDatabaseSink(options: DatabaseSinkOptions): DatabaseSink {
  const { db, source, level, maxRows, flushMs = 250, restMs = 5_000, bufferLimit = 10_000 } = options;
  // App and worker each write at most this many rows between two trims. A trim leaves space for both, so that `maxRows` is never exceeded.
  const share = Math.max(1, Math.floor(maxRows / 50));
  let buffer: LogRecord[] = [];
  let dropped = 0;
  let sinceTrim = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;

  const schedule = (delay: number): void => {
    if (timer) return;
    timer = setTimeout(() => void flush(), delay);
    timer.unref();
  };

  const writeSome = async (): Promise<void> => {
    const batch = buffer.splice(0, Math.min(rowsPerInsert, share));
    const gap = dropped;
    if (gap > 0) batch.push(gapRecord(gap));
    try {
      await insert(db, source, batch);
      dropped -= gap;
      sinceTrim += batch.length;
      if (sinceTrim >= share) {
        await trimLogs(db, Math.max(0, maxRows - 2 * share));
        sinceTrim = 0;
      }
      if (buffer.length > 0) schedule(0);
    } catch {
      // The sink must not log its own failure; the dropped records are reported by `gapRecord`.
      dropped += batch.length - (gap > 0 ? 1 : 0);
      schedule(restMs);
    }
  };

  const flush = async (): Promise<void> => {
    if (timer) clearTimeout(timer);
    timer = null;
    if (writing) return writing;
    if (buffer.length === 0 && dropped === 0) return;
    writing = writeSome().finally(() => {
      writing = null;
    });
    return writing;
  };

  return {
    // Independent of the level of standard output.
    level: levels.indexOf(level) < levels.indexOf('warning') ? level : 'warning',
    write(record) {
      if (!isRecorded(record, level)) return;
      if (buffer.length >= bufferLimit) {
        dropped += 1;
        return;
      }
      buffer.push(record);
      if (!writing) schedule(flushMs);
    },
    flush,
    async close() {
      const ended = (async () => {
        await writing;
        for (let rounds = 0; buffer.length > 0 && rounds < 20; rounds += 1) await flush();
      })();
      // An unresponsive database must not block the exit of the process.
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 2_000).unref())]);
      if (timer) clearTimeout(timer);
      buffer = [];
    },
  };
}

/** Catalog's own loggers are stored from the threshold, others from `warning`. Access logs (loggers with a part named `access`) are not stored. */
function isRecorded({ logger, level }: Pick<LogRecord, 'logger' | 'level'>, threshold: Level): boolean {
  const parts = logger.split('.');
  if (parts.includes('access')) return false;
  const own = parts[0] === 'catalog';
  return levels.indexOf(level) >= levels.indexOf(own ? threshold : 'warning');
}

async function insert(db: Db, source: LogSource, batch: readonly LogRecord[]): Promise<void> {
  await sql`
    with relaxed as materialized (
      select set_config('synchronous_commit', 'off', true)
    )
    insert into app_logs (ts, source, level, logger, message, exc)
    select ts, ${source}, level, logger, message, exc
    from relaxed, unnest(${batch.map(({ ts }) => ts.toISOString())}::timestamptz[], ${batch.map((record) => record.level)}::text[],
      ${batch.map(({ logger }) => storableText(logger, 200))}::text[], ${batch.map(messageOf)}::text[],
      ${batch.map(({ traceback }) => (traceback === undefined ? null : storableText(traceback, 20_000)))}::text[])
      with ordinality as given (ts, level, logger, message, exc, place)
    order by place`.execute(db);
}

function messageOf({ message, fields }: LogRecord): string {
  const details = Object.entries(fields ?? {}).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return storableText(details.length > 0 ? `${message} (${details.join(', ')})` : message, 8_000);
}

function gapRecord(count: number): LogRecord {
  return {
    ts: new Date(),
    level: 'warning',
    logger: 'catalog.log',
    message: `${count} log records were dropped because they could not be written to the database in time.`,
  };
}
