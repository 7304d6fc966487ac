/** Sends hostile files through a real pool and counts how each ends. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits } from '../../src/contract.ts';
import { createSandboxPool, type SandboxPool } from '../../src/sandbox/pool.ts';
import type { ExtractOutcome, FileJob, TaskOutcome } from '../../src/sandbox/protocol.ts';
import { thumbTaskModule } from '../../src/tasks/index.ts';
import { bombs } from './bombs.ts';
import { claims } from './claims.ts';
import { covers } from './covers.ts';
import type { Ending, HostileCase } from './hostile-case.ts';
import { mutations } from './mutations.ts';
import { names } from './names.ts';

export interface Ended {
  family: string;
  name: string;
  filename: string;
  ending: Ending;
  message: string;
  /** It ended in a way its case does not allow, or told a path of the host. */
  wrong: boolean;
}

const made = [...bombs, ...claims, ...covers, ...names];

const pictures = /\.(jpe?g|png|gif|bmp|ico|psd|svgz?|tif|nef|dng|jxl|stl|ply|off|obj|glb|pdf|epub|docx|mp3|flac|mp4|cbz|ttf)$/;

/** A picture that is drawn has more ways to be refused than one whose header is read. */
function drawn(item: HostileCase): HostileCase {
  return { ...item, family: `draw ${item.family}`, task: 'thumbs', endings: ['result', 'guard', 'corrupt', 'dependency', ...item.endings] };
}

/** The made cases first, then as many damaged samples as are wanted; every fourth damaged one is drawn, not only read. */
export function hostileCases(count: number): HostileCase[] {
  const floods = made
    .filter((item) => ['pixels', 'meshes', 'bomb', 'entities', 'circles'].includes(item.family) && pictures.test(item.filename))
    .map(drawn);
  const all = [...made, ...floods];
  const damaged = mutations(Math.max(0, count - all.length)).map((item, i) => (i % 4 === 3 ? drawn(item) : item));
  return [...all, ...damaged];
}

export async function runHostile(
  cases: readonly HostileCase[],
  options: { size?: number; timeoutSeconds?: number; memoryMb?: number } = {},
): Promise<{ ended: Ended[]; alive: boolean; peakBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-hostile-'));
  const pool = createSandboxPool({ size: options.size ?? 2, memoryMb: options.memoryMb ?? 768, tasks: { thumbs: thumbTaskModule } });
  const limits = { ...defaultLimits, timeoutSeconds: options.timeoutSeconds ?? 60 };
  const ended: Ended[] = [];
  let peakBytes = 0;
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < cases.length; i = next++) {
      const item = cases[i] as HostileCase;
      const place = join(folder, String(i));
      mkdirSync(place);
      const path = join(place, item.filename);
      const bytes = await item.build();
      writeFileSync(path, bytes);
      const clock = { timeoutSeconds: item.seconds ?? limits.timeoutSeconds };
      const job: FileJob = {
        path,
        filename: item.filename,
        extension: extensionOf(item.filename),
        size: bytes.length,
        limits: { ...limits, ...clock },
      };
      const outcome =
        item.task === 'thumbs'
          ? await pool.run<unknown>('thumbs', job, { gridPx: 320, previewPx: 800, acceleration: 'auto' })
          : await pool.extract(job);
      ended.push(judge(item, outcome, folder));
      peakBytes = Math.max(peakBytes, pool.stats().memoryBytes);
      rmSync(place, { recursive: true, force: true });
    }
  };
  try {
    await Promise.all(Array.from({ length: options.size ?? 2 }, work));
    return { ended, alive: await stillWorks(pool, folder, limits), peakBytes };
  } finally {
    pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function extensionOf(filename: string): string {
  return (/\.(tar\.[a-z0-9]+)$/.exec(filename)?.[1] ?? /\.([^.]+)$/.exec(filename)?.[1] ?? '').toLowerCase();
}

function judge(item: HostileCase, outcome: ExtractOutcome | TaskOutcome<unknown>, folder: string): Ended {
  const ending: Ending = outcome.ok ? 'result' : outcome.kind;
  const told = JSON.stringify(outcome).includes(folder);
  const wrong = told || !item.endings.includes(ending) || (outcome.ok && 'unsupported' in outcome && outcome.unsupported === true);
  return { family: item.family, name: item.name, filename: item.filename, ending, message: outcome.ok ? '' : outcome.message, wrong };
}

async function stillWorks(pool: SandboxPool, folder: string, limits: FileJob['limits']): Promise<boolean> {
  const path = join(folder, 'after.txt');
  writeFileSync(path, 'still here');
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => pool.extract({ path, filename: 'after.txt', extension: 'txt', size: 10, limits })),
  );
  return outcomes.every((outcome) => outcome.ok && !outcome.unsupported && outcome.extracted.bodyText === 'still here');
}

/** Families down, endings across. A file is survived when its reading ended and the next one was read: none is left out of the list. */
export function hostileTable(ended: readonly Ended[]): string {
  const columns = ['tried', 'result', 'guard', 'corrupt', 'dependency', 'timeout', 'survived', 'wrong'] as const;
  const families = [...new Set(ended.map((one) => one.family))].sort();
  const count = (list: readonly Ended[], column: (typeof columns)[number]): number =>
    column === 'tried' || column === 'survived'
      ? list.length
      : list.filter((one) => (column === 'wrong' ? one.wrong : one.ending === column)).length;
  const rows = [...families.map((family) => [family, ended.filter((one) => one.family === family)] as const), ['all', ended] as const];
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(18) : String(cell).padStart(11))).join('');
  return [
    line(['family', ...columns]),
    ...rows.map(([family, list]) => line([family, ...columns.map((column) => count(list, column))])),
  ].join('\n');
}
