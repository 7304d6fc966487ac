import { fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOpenSearch } from './engines/opensearch.ts';
import { withMeilisearch } from './meilisearch/server.ts';
import { installedFiles } from './relevance/corpus.ts';
import { makeQuestions, type Question, questionsPerKind } from './relevance/questions.ts';
import { openEngine, openFts5, openMeilisearch, type SearchSystem } from './relevance/systems.ts';
import type { Bench, Row } from './row.ts';
import type { Measurements } from './search/measurements.ts';
import { type QueryClass, queryClasses } from './search/queries.ts';

const peers = ['opensearch', 'meilisearch', 'fts5', 'postgres'] as const;
const labels = { opensearch: 'OpenSearch', meilisearch: 'Meilisearch', fts5: 'SQLite FTS5', postgres: 'PostgreSQL' };
type Peer = (typeof peers)[number];
type Measured = Partial<Record<Peer, Measurements>>;

/**
 * All search systems side by side, one after the other on the same million file records, queries and judged questions. OpenSearch and
 * Meilisearch are compared by the time that the server reports, which leaves out HTTP. BENCH_PEERS chooses the peers.
 */
const bench: Bench = async ({ scale }) => {
  const size = Math.round(1_000_000 * scale);
  const directory = await mkdtemp(join(tmpdir(), 'bench-engines-'));
  const chosen = process.env['BENCH_PEERS']?.split(',') ?? [...peers];
  const notes = [`${size.toLocaleString('en')} documents; best of three runs per query; p95 over the queries of a class`];
  try {
    const built = await measure('engine-build', size, join(directory, 'engine'));
    const own = {
      ...(await measure('engine', size, join(directory, 'engine'))),
      docsPerSecond: built.docsPerSecond,
      diskBytes: built.diskBytes,
    };
    await rm(join(directory, 'engine'), { recursive: true, force: true });
    const measured: Measured = {};
    for (const peer of peers) {
      if (!chosen.includes(peer)) continue;
      const result = await measure(peer, size, directory).catch((error: Error): Measurements => ({ classes: {}, skipped: error.message }));
      if (result.skipped === undefined) measured[peer] = result;
      else notes.push(`${labels[peer]} was not measured: ${result.skipped}`);
    }
    const rows = [
      ...queryClasses.flatMap((name) => latencyRow(name, own, measured, size === 1_000_000)),
      indexRow('indexing', 'docs/s', own, measured, ({ docsPerSecond }) => docsPerSecond),
      indexRow('index on disk', 'B/doc', own, measured, ({ diskBytes }) => (diskBytes === undefined ? undefined : diskBytes / size)),
      indexRow('memory', 'B/doc', own, measured, ({ bytesPerDocument }) => bytesPerDocument),
      ...(await relevanceRows(await mkdtemp(join(directory, 'relevance-')), scale, chosen, notes)),
    ];
    return { rows, notes };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

function measure(name: string, size: number, directory: string): Promise<Measurements> {
  console.error(`engines: ${name} at ${size} documents …`);
  const child = fork(new URL('search/measure-process.ts', import.meta.url), [name, String(size), directory], {
    execArgv: ['--expose-gc', '--max-old-space-size=8192'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (result) => resolve(result as Measurements));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the process exited with code ${code}`)));
  });
}

/** The engine must be twice as fast as the servers that are made for search. Limits apply at a million documents. */
function latencyRow(name: QueryClass, own: Measurements, measured: Measured, limitsApply: boolean): Row[] {
  const latency = own.classes[name];
  if (latency === undefined) return [];
  const found = peers.flatMap((peer) => {
    const each = measured[peer]?.serverTimes?.[name] ?? measured[peer]?.classes[name];
    // Servers report whole milliseconds, so anything shorter counts as one.
    return each === undefined ? [] : [{ peer, p95: measured[peer]?.serverTimes ? Math.max(1, each.p95) : each.p95 }];
  });
  const servers = found.filter(({ peer }) => peer === 'opensearch' || peer === 'meilisearch');
  const first = found[0];
  const otherHits = peers.flatMap((peer) => {
    const hits = measured[peer]?.classes[name]?.hits;
    return hits === undefined ? [] : [`${labels[peer]} hits ${Math.round(hits)}`];
  });
  return [
    {
      name: `${name}, p95`,
      value: rounded(latency.p95),
      unit: 'ms',
      peer: found.map(({ peer, p95 }) => `${labels[peer]} ${rounded(p95)}`).join(', '),
      ratio: first ? rounded(latency.p95 / first.p95) : null,
      limit: '<= 0.5 x OpenSearch and Meilisearch',
      ok: !limitsApply || servers.every(({ p95 }) => latency.p95 <= p95 / 2),
      detail: [`p50 ${rounded(latency.p50)}, mean hits ${Math.round(latency.hits)}`, ...otherHits].join('; '),
    },
  ];
}

function indexRow(name: string, unit: string, own: Measurements, measured: Measured, read: (of: Measurements) => number | undefined): Row {
  const found = peers.flatMap((peer) => {
    const value = measured[peer] === undefined ? undefined : read(measured[peer]);
    return value === undefined ? [] : [{ peer, value }];
  });
  const value = read(own) ?? Number.NaN;
  return {
    name,
    value: rounded(value),
    unit,
    peer: found.map(({ peer, value: each }) => `${labels[peer]} ${rounded(each)}`).join(', '),
    ratio: found[0] ? rounded(value / found[0].value) : null,
    limit: '',
    ok: true,
  };
}

/** Questions about files whose answer is known, the same for all systems that rank. */
async function relevanceRows(folder: string, scale: number, chosen: readonly string[], notes: string[]): Promise<Row[]> {
  const files = installedFiles();
  const questions = makeQuestions(files, Math.max(10, Math.round(questionsPerKind * scale)));
  if (questions.length === 0) return [];
  const own = await quality(await openEngine(files, folder), questions);
  const found: { name: string; value: number }[] = [];
  const opensearch = chosen.includes('opensearch') ? await openOpenSearch(files) : null;
  if (opensearch) found.push({ name: labels.opensearch, value: await quality(opensearch, questions) });
  const meilisearch = chosen.includes('meilisearch')
    ? await withMeilisearch(async (call) => quality(await openMeilisearch(files, call), questions))
    : null;
  if (meilisearch !== null) found.push({ name: labels.meilisearch, value: meilisearch });
  if (chosen.includes('fts5')) found.push({ name: labels.fts5, value: await quality(await openFts5(files, folder), questions) });
  notes.push(`${questions.length} questions about ${files.length.toLocaleString('en')} file names; PostgreSQL does not rank by names`);
  return [
    {
      name: 'relevance, nDCG@10',
      value: rounded(own),
      unit: '',
      peer: found.map(({ name, value }) => `${name} ${rounded(value)}`).join(', '),
      ratio: found[0] ? rounded(own / found[0].value) : null,
      limit: '>= OpenSearch and Meilisearch',
      ok: scale < 1 || found.every(({ name, value }) => name === labels.fts5 || own >= value),
    },
  ];
}

/** Each question has one right answer, so its gain is 1 / log2(place + 1). */
async function quality(system: SearchSystem, questions: readonly Question[]): Promise<number> {
  try {
    let sum = 0;
    for (const { text, wanted } of questions) {
      const place = (await system.search(text)).indexOf(wanted) + 1;
      if (place > 0) sum += 1 / Math.log2(place + 1);
    }
    return sum / questions.length;
  } finally {
    await system.close();
  }
}

const rounded = (value: number) => Number(value.toPrecision(3));

export default bench;
