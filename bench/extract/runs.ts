/** One timed run per program: our sandbox pool, and other tools for the same work. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { createSandboxPool, defaultLimits, type FileJob, thumbTaskModule } from '@catalog/readers';
import sharp from 'sharp';
import type { CorpusFile } from './corpus.ts';

export interface Run {
  seconds: number;
  files: number;
  failed: number;
  peakMb: number;
}

export const cores = Math.max(1, cpus().length);

function jobOf(file: CorpusFile): FileJob {
  return {
    path: file.path,
    root: dirname(dirname(file.path)),
    filename: file.filename,
    extension: file.extension,
    size: file.size,
    limits: defaultLimits,
  };
}

/** Runs all files through the pool, two per sandbox process at a time like the worker. Without a target file it renders thumbnails. */
async function runPool(files: readonly CorpusFile[], target: string | null, processes = cores): Promise<Run> {
  const pool = createSandboxPool({ size: processes, tasks: { thumbs: thumbTaskModule } });
  let failed = 0;
  let peakMb = 0;
  let next = 0;
  const lines: string[] = [];
  const read = (file: CorpusFile) =>
    target === null
      ? pool.run<unknown>('thumbs', jobOf(file), { gridPx: 320, previewPx: 800, acceleration: 'auto' })
      : pool.extract(jobOf(file));
  const work = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const outcome = await read(file);
      if (!outcome.ok) failed += 1;
      if (target !== null) {
        lines.push(JSON.stringify(outcome));
        if (lines.length >= 500) appendFileSync(target, `${lines.splice(0).join('\n')}\n`);
      }
      if (next % 50 === 0) peakMb = Math.max(peakMb, residentMb(pool.stats().pids));
    }
  };
  // Starts the sandbox processes, which a long scan does only once.
  await Promise.all(Array.from({ length: processes }, () => read(files[0] as CorpusFile)));
  const started = performance.now();
  await Promise.all(Array.from({ length: processes * 2 }, work));
  const seconds = (performance.now() - started) / 1000;
  peakMb = Math.max(peakMb, residentMb(pool.stats().pids));
  pool.close();
  return { seconds, files: files.length, failed, peakMb };
}

export const extractAll = (files: readonly CorpusFile[], target: string): Promise<Run> => runPool(files, target);
export const renderAll = (files: readonly CorpusFile[], processes = cores): Promise<Run> => runPool(files, null, processes);

/** Renders the same two tiers with sharp alone: one file per core at a time, one decoding thread per file. */
export async function sharpLoop(files: readonly CorpusFile[]): Promise<Run> {
  sharp.concurrency(1);
  sharp.cache(false);
  let next = 0;
  const started = performance.now();
  const work = async (): Promise<void> => {
    for (let file = files[next++]; file !== undefined; file = files[next++]) {
      const { data, info } = await sharp(file.path)
        .rotate()
        .resize({ width: 800, height: 800, fit: 'inside' })
        .raw()
        .toBuffer({ resolveWithObject: true });
      const raw = { width: info.width, height: info.height, channels: info.channels };
      await sharp(data, { raw }).webp({ quality: 78, effort: 2 }).toBuffer();
      await sharp(data, { raw }).resize({ width: 320, height: 320, fit: 'inside' }).webp({ quality: 70, effort: 3 }).toBuffer();
    }
  };
  await Promise.all(Array.from({ length: cores }, work));
  return { seconds: (performance.now() - started) / 1000, files: files.length, failed: 0, peakMb: 0 };
}

/** One process per core, each with its share of the files. Returns null if the tool is not installed. */
export async function exiftool(files: readonly CorpusFile[], folder: string): Promise<Run | null> {
  if (spawnSync('exiftool', ['-ver'], { stdio: 'ignore' }).status !== 0) return null;
  const shares = Array.from({ length: cores }, (_, core) => {
    const list = join(folder, `exiftool-${core}.txt`);
    writeFileSync(
      list,
      files
        .filter((_file, n) => n % cores === core)
        .map((file) => `${file.path}\n`)
        .join(''),
    );
    return list;
  });
  const started = performance.now();
  await Promise.all(shares.map((list) => once(spawn('exiftool', ['-json', '-n', '-fast', '-@', list], { stdio: 'ignore' }), 'exit')));
  return { seconds: (performance.now() - started) / 1000, files: files.length, failed: 0, peakMb: 0 };
}

export function recollindex(root: string, folder: string, files: number): Run | null {
  const config = join(folder, 'recoll');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'recoll.conf'), `topdirs = ${root}\nloglevel = 1\nidxmetastoredlen = 1000\n`);
  return timed(
    () => spawnSync('recollindex', ['-c', config, '-z'], { stdio: 'ignore', env: { ...process.env, HOME: folder } }).status,
    files,
  );
}

function timed(run: () => number | null, files: number): Run | null {
  const started = performance.now();
  const status = run();
  return status === null ? null : { seconds: (performance.now() - started) / 1000, files, failed: 0, peakMb: 0 };
}

function residentMb(pids: readonly number[]): number {
  let kilobytes = 0;
  for (const pid of pids) {
    try {
      kilobytes += Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0);
    } catch {
      // The process has exited since the pool listed it.
    }
  }
  return Math.round(kilobytes / 1024);
}

export function versionOf(tool: string, flag: string): string {
  try {
    return (
      execFileSync(tool, [flag], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
        .trim()
        .split('\n')[0]
        ?.slice(0, 40) ?? ''
    );
  } catch {
    return 'not installed';
  }
}
