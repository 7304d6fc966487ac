import type { Row } from '../row.ts';
import type { Figures } from './figures.ts';
import type { ClassName } from './questions.ts';
import type { Spread } from './timing.ts';

export interface Contenders {
  engine: Figures;
  fts5?: Figures;
  postgres?: Figures;
  meilisearch?: Figures;
}

interface Goal {
  /** Milliseconds at a million documents. */
  p95: number;
  /** Against the first peer: our p95 divided by its p95. */
  ratio?: number;
  peer?: 'fts5' | 'columns' | 'postgres';
}

const goals: Record<ClassName, Goal> = {
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
const labels = { fts5: 'FTS5', columns: 'FTS5 + columns', postgres: 'PostgreSQL', meilisearch: 'Meilisearch' };
const besidePeer = (peer: Spread | undefined) =>
  peer === undefined ? '' : `, peer p50 ${rounded(peer.p50)}, cpu p95 ${rounded(peer.cpuP95)}`;
const rounded = (value: number) => Number(value.toPrecision(3));

/** The table of the issue. The limits are for a million documents; at other sizes they are printed and not judged. */
export function tableOf(all: Contenders, size: number): Row[] {
  const judged = size === 1_000_000;
  const floorMs = all.engine.floorMs ?? Number.NaN;
  const rows: Row[] = [];
  for (const [name, goal] of Object.entries(goals) as [ClassName, Goal][]) {
    const own = all.engine.classes[name];
    if (own === undefined) continue;
    const peers = {
      fts5: all.fts5?.classes[name],
      columns: all.fts5?.columns?.[name],
      postgres: all.postgres?.classes[name],
      meilisearch: all.meilisearch?.classes[name],
    };
    const order = (['fts5', 'columns', 'postgres', 'meilisearch'] as const).filter((peer) => peers[peer] !== undefined);
    order.sort((a, b) => (a === goal.peer ? -1 : b === goal.peer ? 1 : 0));
    const first = order[0] === undefined ? undefined : peers[order[0]];
    const ratio = first === undefined ? null : rounded(own.p95 / first.p95);
    const floorRatio = name === 'browse + 60 values' ? own.p95 / floorMs : null;
    const fast = own.p95 <= goal.p95 && (goal.ratio === undefined || ratio === null || ratio <= goal.ratio) && (floorRatio ?? 0) <= 2.5;
    const parts = [`<= ${goal.p95} ms`];
    if (goal.ratio !== undefined) parts.push(`<= ${rounded(goal.ratio)} x ${labels[goal.peer!]}`);
    if (floorRatio !== null) parts.push('<= 2.5 x read floor');
    const floor = floorRatio === null ? '' : `, read floor ${rounded(floorMs)} ms (x ${rounded(floorRatio)})`;
    rows.push({
      name: `${name}, p95`,
      value: rounded(own.p95),
      unit: 'ms',
      peer: order.map((peer) => `${labels[peer]} ${rounded(peers[peer]!.p95)}`).join(', '),
      ratio,
      limit: parts.join(', '),
      ok: !judged || fast,
      detail: `p50 ${rounded(own.p50)}, max ${rounded(own.max)}, cpu p95 ${rounded(own.cpuP95)}, mean hits ${Math.round(own.hits)}${besidePeer(first)}${floor}`,
    });
  }
  return [...rows, ...wholes(all, judged)];
}

function wholes({ engine, fts5 }: Contenders, judged: boolean): Row[] {
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
      ok: !judged || ok(value, ratio),
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
    `by the clock ${rounded(engine.docsPerSecond ?? 0)} docs/s, index ${rounded((engine.diskBytes ?? 0) / 1e6)} MB; FTS5 with trigrams for infixes, as the engine has them, ${rounded(fts5?.docsPerCpuSecondWithInside ?? 0)}`,
  );
  add('resident memory', engine.bytesPerDocument, 'B/doc', '<= 350', (value) => value <= 350);
  add('open in a fresh process', engine.openMs, 'ms', '<= 2000', (value) => value <= 2000);
  add(
    '50 callers, p95',
    engine.concurrent?.p95,
    'ms',
    '<= 60',
    (value) => value <= 60,
    undefined,
    `${Math.round(engine.concurrent?.perSecond ?? 0)} answers/s`,
  );
  const { merge } = engine;
  if (merge !== undefined) {
    const detail = `quiet ${rounded(merge.quietP95)} ms, merge took ${rounded(merge.seconds)} s`;
    const times = rounded(merge.duringP95 / merge.quietP95);
    rows.push({
      name: 'p95 during a merge',
      value: rounded(merge.duringP95),
      unit: 'ms',
      peer: `quiet ${rounded(merge.quietP95)}`,
      ratio: times,
      limit: '<= 2 x quiet',
      ok: !judged || times <= 2,
      detail,
    });
  }
  return rows;
}
