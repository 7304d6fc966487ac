/** Thumbnails of 12-megapixel HEIC photos: our sandbox and the system's fastest tool. The photos are made with heif-enc. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type CorpusFile, makePhoto } from './corpus.ts';
import { type Run, renderAll } from './runs.ts';

const toolTimeoutMs = 120_000;

/** Null when heif-enc is not installed, because no package writes HEIC. `theirs` is null when no tool that reads it is installed. */
export async function compareHeic(folder: string, count: number): Promise<{ ours: Run; theirs: Run | null; tool: string } | null> {
  mkdirSync(folder);
  const jpeg = join(folder, 'photo.jpg');
  const heic = join(folder, 'photo.heic');
  writeFileSync(jpeg, await makePhoto(4000, 3000, 1));
  // Only decoding is measured, so the fastest preset will do.
  const encoded = spawnSync('heif-enc', ['-q', '60', '-p', 'preset=ultrafast', jpeg, '-o', heic], {
    stdio: 'ignore',
    timeout: toolTimeoutMs,
  });
  if (encoded.status !== 0) return null;
  const bytes = readFileSync(heic);
  const files = Array.from({ length: count }, (_, i): CorpusFile => {
    const filename = `photo-${i}.heic`;
    writeFileSync(join(folder, filename), bytes);
    return { path: join(folder, filename), filename, extension: 'heic', size: bytes.length, kind: 'heic' };
  });
  const runs = [
    runTool('vipsthumbnail', files, (file) => [file.path, '--size', '800x800', '-o', join(folder, 'out.webp')]),
    runTool('heif-convert', files, (file) => [file.path, join(folder, 'out.jpg')]),
  ].filter((run) => run !== null);
  const best = runs.sort((a, b) => a.run.seconds - b.run.seconds)[0];
  // The tools run one after the other, so our side gets one process of work at a time as well.
  const ours = await renderAll(files, 1);
  return { ours, theirs: best?.run ?? null, tool: best?.tool ?? 'vipsthumbnail' };
}

function runTool(tool: string, files: readonly CorpusFile[], args: (file: CorpusFile) => string[]): { tool: string; run: Run } | null {
  const started = performance.now();
  for (const file of files) if (spawnSync(tool, args(file), { stdio: 'ignore', timeout: toolTimeoutMs }).status !== 0) return null;
  return { tool, run: { seconds: (performance.now() - started) / 1000, files: files.length, failed: 0, peakMb: 0 } };
}
