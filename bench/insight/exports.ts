import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { encodeXlsx } from '../../server/src/insight/exports/formats/xlsx.ts';
import type { Cell } from '../../server/src/insight/reports/index.ts';
import type { DatabaseAddress } from '../../server/src/platform/database/index.ts';
import { nextMessage } from '../api/service.ts';
import type { Row } from '../row.ts';

/** How many times as long as psql an export may take. */
const factors = { csv: 3, ndjson: 3, xlsx: 8 } as const;
const maxGrowthMiB = 100;
/** Both programs take turns, and the best time of each counts. */
const rounds = 3;

/** The rows and columns of the export, as psql writes them; the libraries have no native and no shared paths. */
const sameRows = `select i.rel_path, l.name as library, to_timestamp(i.mtime_ns / 1000000000) as mtime,
  extract(day from now() - to_timestamp(i.mtime_ns / 1000000000)) as age_days, i.size, l.root_path || '/' || i.rel_path as path,
  l.native_prefix as native_path, l.share_prefix as share_url, null as share_unc
  from items i join libraries l on l.id = i.library_id where i.status = 'active' and i.mtime_ns < extract(epoch from now()) * 1000000000 order by i.mtime_ns, i.id`;

export async function exportRows(app: ChildProcess, url: string, key: string, address: DatabaseAddress, folder: string): Promise<Row[]> {
  const found: Row[] = [];
  for (const format of ['csv', 'ndjson', 'xlsx'] as const) {
    let [peer, seconds]: [number | null, number] = [null, Number.POSITIVE_INFINITY];
    const memory = await watchMemory(app);
    for (let round = 0; round < rounds; round++) {
      const psql = await timePsql(address, folder);
      if (psql !== null) peer = Math.min(peer ?? psql, psql);
      const start = performance.now();
      await download(`${url}/api/v1/reports/stale_files?threshold_days=1&format=${format}`, key, join(folder, `export.${format}`));
      seconds = Math.min(seconds, (performance.now() - start) / 1000);
    }
    const grown = Math.round((await memory.growth()) / 2 ** 20);
    found.push({
      name: `export of all files as ${format.toUpperCase()}`,
      value: round(seconds),
      unit: 's',
      peer: peer === null ? 'psql is not installed' : `${round(peer)} s psql \\copy`,
      ratio: peer === null ? null : round(seconds / peer),
      limit: `at most ${factors[format]} × psql`,
      ok: peer === null || seconds <= factors[format] * peer,
    });
    found.push({
      name: `memory growth of the app, ${format.toUpperCase()}`,
      value: grown,
      unit: 'MiB',
      peer: '',
      ratio: null,
      limit: `at most ${maxGrowthMiB} MiB`,
      ok: grown <= maxGrowthMiB,
    });
  }
  return found;
}

async function timePsql({ host, port, user, password, database }: DatabaseAddress, folder: string): Promise<number | null> {
  if (spawnSync('psql', ['--version']).status !== 0) return null;
  const start = performance.now();
  const copy = `\\copy (${sameRows.replaceAll('\n', ' ')}) to '${join(folder, 'psql.csv')}' with (format csv, header)`;
  const env = { ...process.env, PGHOST: host, PGPORT: String(port), PGUSER: user, PGPASSWORD: String(password), PGDATABASE: database };
  await promisify(execFile)('psql', ['-q', '-c', copy], { env });
  return (performance.now() - start) / 1000;
}

async function download(url: string, key: string, file: string): Promise<void> {
  const response = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    get(url, { headers: { authorization: `Bearer ${key}` } }, resolve).on('error', reject);
  });
  if (response.statusCode !== 200) throw new Error(`${url} responded with ${response.statusCode}.`);
  await pipeline(response, createWriteStream(file));
}

/** Reads the memory of the app until it is asked for the growth, which is that of the highest value. */
async function watchMemory(app: ChildProcess): Promise<{ growth(): Promise<number> }> {
  const before = await memoryOf(app);
  let highest = before;
  let done = false;
  const watching = (async () => {
    while (!done) {
      await setTimeout(100);
      highest = Math.max(highest, await memoryOf(app));
    }
  })();
  return {
    async growth() {
      done = true;
      await watching;
      return highest - before;
    },
  };
}

async function memoryOf(app: ChildProcess): Promise<number> {
  const report = nextMessage<{ rss: number }>(app);
  app.send('memory');
  return (await report).rss;
}

const maxSheetRows = 1_048_576;

/** Writes more rows than a sheet can hold, reads the sheets again and counts them. */
export async function sheetSplitRow(folder: string, scale: number): Promise<Row> {
  const rows = scale < 1 ? 1000 : maxSheetRows + 1000;
  const columns = [{ key: 'name', label: 'Name', type: 'text' as const }];
  async function* batches(): AsyncGenerator<Cell[][]> {
    for (let from = 0; from < rows; from += 2000)
      yield Array.from({ length: Math.min(2000, rows - from) }, (_, at) => [`file ${from + at}`]);
  }
  const file = join(folder, 'split.xlsx');
  await pipeline(encodeXlsx({ columns, title: 'Split' }, batches()), createWriteStream(file));
  const counts: number[] = [];
  for (const sheet of rows < maxSheetRows ? [1] : [1, 2]) counts.push(await countSheetRows(file, sheet));
  const expected = rows < maxSheetRows ? [rows + 1] : [maxSheetRows, 1002];
  return {
    name: `sheets of a spreadsheet of ${rows.toLocaleString('en')} rows`,
    value: counts.length,
    unit: 'sheets',
    peer: '',
    ratio: null,
    limit: `${expected.map((count) => count.toLocaleString('en')).join(' and ')} rows with headers`,
    ok: counts.every((count, at) => count === expected[at]),
    detail: `unzip finds ${counts.map((count) => count.toLocaleString('en')).join(' and ')} rows`,
  };
}

async function countSheetRows(file: string, sheet: number): Promise<number> {
  const unzip = spawn('unzip', ['-p', file, `xl/worksheets/sheet${sheet}.xml`], { stdio: ['ignore', 'pipe', 'inherit'] });
  let [count, rest] = [0, ''];
  for await (const chunk of unzip.stdout.setEncoding('utf8') as AsyncIterable<string>) {
    const text = rest + chunk;
    count += text.split('<row ').length - 1;
    rest = text.slice(1 - '<row '.length);
  }
  return count;
}

const round = (value: number): number => Number(value.toPrecision(3));
