import type { Row } from '../row.ts';
import type { Latency, Measurements } from './measurements.ts';
import type { QueryClass } from './queries.ts';

export interface SystemMeasurements {
  engine: Measurements;
  fts5?: Measurements;
  postgres?: Measurements;
  meilisearch?: Measurements;
}

interface Limit {
  /** Milliseconds at a million documents. */
  p95: number;
  /** The engine's p95 divided by that of `peer`. */
  ratio?: number;
  peer: 'fts5' | 'columns' | 'postgres';
}

const limits: Record<QueryClass, Limit> = {
  'one word': { p95: 15, ratio: 0.1, peer: 'fts5' },
  prefix: { p95: 15, ratio: 0.1, peer: 'fts5' },
  'one typo': { p95: 15, ratio: 0.1, peer: 'fts5' },
  'two words': { p95: 15, ratio: 2 / 3, peer: 'fts5' },
  'all fields': { p95: 30, peer: 'fts5' },
  'filter + 4 facets': { p95: 10, ratio: 1 / 3, peer: 'columns' },
  'browse + 60 values': { p95: 2, peer: 'columns' },
  'browse + 300 tags': { p95: 12, peer: 'columns' },
  'sort + filter': { p95: 1, peer: 'fts5' },
  infix: { p95: 25, peer: 'postgres' },
};
/** The engine's p95 divided by the p95 of the time that the Meilisearch server reports, for every class that it can answer. */
const meilisearchRatio = 0.5;
const labels = { fts5: 'FTS5', columns: 'FTS5 + columns', postgres: 'PostgreSQL', meilisearch: 'Meilisearch' };
const peerDetail = (peer: Latency | undefined) =>
  peer === undefined ? '' : `, peer p50 ${rounded(peer.p50)}, cpu p95 ${rounded(peer.cpuP95)}`;
const rounded = (value: number) => Number(value.toPrecision(3));

/** One row per query class and per property of the index. Limits apply at a million documents; at other sizes they are only printed. */
export function searchRows(all: SystemMeasurements, size: number): Row[] {
  const limitsApply = size === 1_000_000;
  const minReadMs = all.engine.minReadMs ?? Number.NaN;
  const rows: Row[] = [];
  for (const [name, limit] of Object.entries(limits) as [QueryClass, Limit][]) {
    const own = all.engine.classes[name];
    if (own === undefined) continue;
    const peers: Partial<Record<keyof typeof labels, Latency>> = {
      fts5: all.fts5?.classes[name],
      columns: all.fts5?.columns?.[name],
      postgres: all.postgres?.classes[name],
      meilisearch: all.meilisearch?.classes[name],
    };
    const measured = (['fts5', 'columns', 'postgres', 'meilisearch'] as const).flatMap((peer) => {
      const latency = peers[peer];
      return latency === undefined ? [] : [{ peer, latency }];
    });
    measured.sort((a, b) => Number(b.peer === limit.peer) - Number(a.peer === limit.peer));
    const first = measured[0]?.latency;
    const ratio = first === undefined ? null : rounded(own.p95 / first.p95);
    // The server reports whole milliseconds, so anything shorter counts as one.
    const server = all.meilisearch?.serverTimes?.[name];
    const serverRatio = server === undefined ? null : rounded(own.p95 / Math.max(1, server.p95));
    const minReadRatio = name === 'browse + 60 values' ? own.p95 / minReadMs : null;
    const ok =
      own.p95 <= limit.p95 &&
      (limit.ratio === undefined || ratio === null || ratio <= limit.ratio) &&
      (minReadRatio ?? 0) <= 2.5 &&
      (serverRatio ?? 0) <= meilisearchRatio;
    const texts = [`<= ${limit.p95} ms`];
    if (limit.ratio !== undefined) texts.push(`<= ${rounded(limit.ratio)} x ${labels[limit.peer]}`);
    if (minReadRatio !== null) texts.push('<= 2.5 x minimum read time');
    if (serverRatio !== null) texts.push(`<= ${meilisearchRatio} x Meilisearch server time`);
    const serverDetail = server === undefined ? '' : `, Meilisearch server time p95 ${rounded(server.p95)} (x ${serverRatio})`;
    const minRead = minReadRatio === null ? '' : `, minimum read time ${rounded(minReadMs)} ms (x ${rounded(minReadRatio)})`;
    rows.push({
      name: `${name}, p95`,
      value: rounded(own.p95),
      unit: 'ms',
      peer: measured.map(({ peer, latency }) => `${labels[peer]} ${rounded(latency.p95)}`).join(', '),
      ratio,
      limit: texts.join(', '),
      ok: !limitsApply || ok,
      detail: `p50 ${rounded(own.p50)}, max ${rounded(own.max)}, cpu p95 ${rounded(own.cpuP95)}, mean hits ${Math.round(own.hits)}${peerDetail(first)}${serverDetail}${minRead}`,
    });
  }
  return [...rows, ...indexRows(all, limitsApply)];
}

function indexRows({ engine, fts5 }: SystemMeasurements, limitsApply: boolean): Row[] {
  const rows: Row[] = [];
  const add = (
    name: string,
    value: number | undefined,
    unit: string,
    limit: string,
    ok: (value: number, ratio: number | null) => boolean,
    peer?: number,
    detail?: string,
  ) => {
    if (value === undefined) return;
    const ratio = peer === undefined ? null : rounded(value / peer);
    rows.push({
      name,
      value: rounded(value),
      unit,
      peer: peer === undefined ? '' : `FTS5 ${rounded(peer)}`,
      ratio,
      limit,
      ok: !limitsApply || ok(value, ratio),
      detail,
    });
  };
  add('1,000 upserts visible', engine.upsertMs, 'ms', '<= 100 ms', (value) => value <= 100, fts5?.upsertMs);
  add(
    'build, per core',
    engine.docsPerCpuSecond,
    'docs/s',
    '>= 25000, >= 1.7 x FTS5',
    (value, ratio) => value >= 25_000 && (ratio ?? 2) >= 1.7,
    fts5?.docsPerCpuSecond,
    `elapsed time ${rounded(engine.docsPerSecond ?? 0)} docs/s, index ${rounded((engine.diskBytes ?? 0) / 1e6)} MB; FTS5 including trigrams for infixes ${rounded(fts5?.docsPerCpuSecondWithInfix ?? 0)}`,
  );
  add('resident memory', engine.bytesPerDocument, 'B/doc', '<= 350', (value) => value <= 350);
  add('open in a new process', engine.openMs, 'ms', '<= 2000', (value) => value <= 2000);
  add(
    '50 concurrent callers, p95',
    engine.concurrent?.p95,
    'ms',
    '<= 60',
    (value) => value <= 60,
    undefined,
    `${Math.round(engine.concurrent?.perSecond ?? 0)} queries/s`,
  );
  const { merge } = engine;
  if (merge !== undefined) {
    const ratio = rounded(merge.duringP95 / merge.idleP95);
    rows.push({
      name: 'p95 during a merge',
      value: rounded(merge.duringP95),
      unit: 'ms',
      peer: `idle ${rounded(merge.idleP95)}`,
      ratio,
      limit: '<= 2 x idle',
      ok: !limitsApply || ratio <= 2,
      detail: `merge took ${rounded(merge.seconds)} s`,
    });
  }
  return rows;
}
