/** Runs hostile files through a real sandbox pool and reports how each ends. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits } from '../../src/contract.ts';
import { createSandboxPool, type SandboxPool } from '../../src/sandbox/pool.ts';
import type { ExtractOutcome, FileJob, TaskOutcome } from '../../src/sandbox/protocol.ts';
import { thumbTaskModule } from '../../src/tasks/index.ts';
import { bombs } from './bombs.ts';
import { containers } from './claims/containers.ts';
import { documents } from './claims/documents.ts';
import { lines } from './claims/lines.ts';
import { mail } from './claims/mail.ts';
import { meshes } from './claims/meshes.ts';
import { pixels } from './claims/pixels.ts';
import { sounds } from './claims/sounds.ts';
import type { Ending, HostileCase } from './hostile-case.ts';
import { mutations } from './mutations.ts';
import { names } from './names.ts';

interface HostileResult {
  family: string;
  name: string;
  filename: string;
  ending: Ending;
  message: string;
  /** The outcome is not one the case allows, or contains a host path. */
  wrong: boolean;
}

const handmadeCases = [...bombs, ...pixels, ...meshes, ...sounds, ...documents, ...mail, ...lines, ...containers, ...names];

const drawableNames =
  /\.(jpe?g|png|gif|bmp|ico|psd|svgz?|tif|nef|dng|jxl|hei[cf]|stl|ply|off|obj|glb|pdf|eps|epub|docx?|xlsx?|pptx?|odt|fodt|rtf|mp3|flac|mp4|cbz|ttf)$/;

/** Drawing decodes the whole file, so more outcomes are acceptable than for reading its header. */
function asDrawing(item: HostileCase): HostileCase {
  return { ...item, family: `draw ${item.family}`, task: 'thumbs', endings: ['result', 'guard', 'corrupt', 'dependency', ...item.endings] };
}

/** The handmade cases, then damaged samples if `count` is larger. Every fourth damaged sample is drawn instead of read. */
export function hostileCases(count = 0): HostileCase[] {
  const drawings = handmadeCases
    .filter((item) => ['pixels', 'meshes', 'bomb', 'entities', 'circles'].includes(item.family) && drawableNames.test(item.filename))
    .map(asDrawing);
  const all = [...handmadeCases, ...drawings];
  const damaged = mutations(Math.max(0, count - all.length)).map((item, i) => (i % 4 === 3 ? asDrawing(item) : item));
  return [...all, ...damaged];
}

export async function runHostile(
  cases: readonly HostileCase[],
  options: { size?: number; timeoutSeconds?: number; memoryMb?: number } = {},
): Promise<{ results: HostileResult[]; alive: boolean; peakBytes: number; largestReaderBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-hostile-'));
  const pool = createSandboxPool({
    size: options.size ?? 2,
    memoryMb: options.memoryMb ?? 768,
    background: false,
    tasks: { thumbs: thumbTaskModule },
  });
  const limits = { ...defaultLimits, timeoutSeconds: options.timeoutSeconds ?? 60 };
  const results: HostileResult[] = [];
  let peakBytes = 0;
  let largestReaderBytes = 0;
  // A reader that dies is gone when its case ends, so its highest value is read while it runs. The others are read when the case ends.
  const sample = (): void => {
    for (const pid of pool.stats().pids) largestReaderBytes = Math.max(largestReaderBytes, highestMemory(pid));
  };
  const sampling = setInterval(sample, 50);
  let next = 0;
  const work = async (): Promise<void> => {
    for (let i = next++; i < cases.length; i = next++) {
      const item = cases[i] as HostileCase;
      // In this family only the names differ, so one reader process reads all files. Elsewhere each file gets its own, whose memory is measured.
      const root = item.family === 'names' ? join(folder, 'names') : join(folder, String(i));
      const caseFolder = join(root, String(i));
      mkdirSync(caseFolder, { recursive: true });
      const path = join(caseFolder, item.filename);
      const bytes = await item.build();
      writeFileSync(path, bytes);
      const timeout = { timeoutSeconds: item.seconds ?? limits.timeoutSeconds };
      const job: FileJob = {
        path,
        root,
        filename: item.filename,
        extension: extensionOf(item.filename),
        size: bytes.length,
        limits: { ...limits, ...timeout },
      };
      const outcome =
        item.task === 'thumbs'
          ? await pool.run<unknown>('thumbs', job, { gridPx: 320, previewPx: 800, acceleration: 'auto' })
          : await pool.extract(job);
      sample();
      results.push(checkOutcome(item, outcome, folder));
      peakBytes = Math.max(peakBytes, pool.stats().memoryBytes);
      rmSync(caseFolder, { recursive: true, force: true });
    }
  };
  try {
    await Promise.all(Array.from({ length: options.size ?? 2 }, work));
    return { results, alive: await canStillExtract(pool, folder, limits), peakBytes, largestReaderBytes };
  } finally {
    clearInterval(sampling);
    pool.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The most memory that a process has ever had; 0 if it is gone. */
function highestMemory(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

function extensionOf(filename: string): string {
  return (/\.(tar\.[a-z0-9]+)$/.exec(filename)?.[1] ?? /\.([^.]+)$/.exec(filename)?.[1] ?? '').toLowerCase();
}

function checkOutcome(item: HostileCase, outcome: ExtractOutcome | TaskOutcome<unknown>, folder: string): HostileResult {
  const ending: Ending = outcome.ok ? 'result' : outcome.kind;
  const leaksPath = JSON.stringify(outcome).includes(folder);
  const wrong = leaksPath || !item.endings.includes(ending) || (outcome.ok && 'unsupported' in outcome && outcome.unsupported === true);
  return { family: item.family, name: item.name, filename: item.filename, ending, message: outcome.ok ? '' : outcome.message, wrong };
}

async function canStillExtract(pool: SandboxPool, folder: string, limits: FileJob['limits']): Promise<boolean> {
  const path = join(folder, 'after.txt');
  writeFileSync(path, 'still here');
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, () => pool.extract({ path, filename: 'after.txt', extension: 'txt', size: 10, limits })),
  );
  return outcomes.every((outcome) => outcome.ok && !outcome.unsupported && outcome.extracted.bodyText === 'still here');
}

/** A table with a row per family and a column per outcome. Every case in the list has ended, so each counts as survived. */
export function hostileTable(results: readonly HostileResult[]): string {
  const columns = ['tried', 'result', 'guard', 'corrupt', 'dependency', 'timeout', 'survived', 'wrong'] as const;
  const families = [...new Set(results.map((one) => one.family))].sort();
  const count = (list: readonly HostileResult[], column: (typeof columns)[number]): number =>
    column === 'tried' || column === 'survived'
      ? list.length
      : list.filter((one) => (column === 'wrong' ? one.wrong : one.ending === column)).length;
  const rows = [...families.map((family) => [family, results.filter((one) => one.family === family)] as const), ['all', results] as const];
  const line = (cells: readonly (string | number)[]) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(18) : String(cell).padStart(11))).join('');
  return [
    line(['family', ...columns]),
    ...rows.map(([family, list]) => line([family, ...columns.map((column) => count(list, column))])),
  ].join('\n');
}
