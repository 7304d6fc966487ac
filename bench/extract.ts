/**
 * Compares extraction with other programs in the same run: photo metadata with exiftool, metadata and text of a corpus with recollindex, and
 * thumbnails of 12-megapixel photos with a plain sharp loop. Our side always uses the real sandbox.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureApiLatency } from './extract/api-latency.ts';
import { type CorpusFile, makeCorpus, makePhoto } from './extract/corpus.ts';
import { compareHeic } from './extract/heic.ts';
import { cores, exiftool, extractAll, type Run, recollindex, renderAll, sharpLoop, versionOf } from './extract/runs.ts';
import type { Bench, Row } from './row.ts';

const bench: Bench = async ({ scale }) => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-extract-'));
  try {
    const root = join(folder, 'corpus');
    const corpus = await makeCorpus(root, scale);
    const photos = corpus.files.filter((file) => file.kind === 'photo');
    const output = join(folder, 'metadata.ndjson');

    const ourPhotos = await extractAll(photos, output);
    const exiftoolPhotos = await exiftool(photos, folder);
    const ourAll = await extractAll(corpus.files, output);
    const recollAll = recollindex(root, folder, corpus.files.length);

    const large = await largePhotos(join(folder, 'large'), Math.max(12, Math.round(60 * scale)));
    const plainThumbs = await sharpLoop(large);
    const ourThumbs = await renderAll(large);

    const heic = await compareHeic(join(folder, 'heic'), Math.max(4, Math.round(20 * scale)));

    const apiRows = await measureApiLatency(folder, corpus.files, cores, scale);

    const rows: Row[] = [
      compare('photo metadata', ourPhotos, exiftoolPhotos, `exiftool -json -fast, ${cores} processes`, 5),
      compare('metadata and text of the whole corpus', ourAll, recollAll, 'recollindex', 3),
      compare('thumbnails of 12 MP photos, two tiers', ourThumbs, plainThumbs, 'plain sharp loop', 0.8),
      ...(heic ? [compare('thumbnails of 12 MP HEIC photos, two tiers, one process', heic.ours, heic.theirs, heic.tool, 0.5)] : []),
      ...kindRows(corpus.files, await perKind(corpus.files, output)),
      {
        name: 'memory of the sandbox processes',
        value: Math.max(ourAll.peakMb, ourThumbs.peakMb),
        unit: 'MB',
        peer: '',
        ratio: null,
        limit: `below ${cores} x 1024`,
        ok: Math.max(ourAll.peakMb, ourThumbs.peakMb) < cores * 1024,
      },
      ...apiRows,
    ];
    const notes = [
      ...(heic ? [] : ['HEIC photos are not measured: heif-enc is not installed.']),
      `${corpus.files.length} files, ${cores} sandbox processes; exiftool ${versionOf('exiftool', '-ver')}`,
      'recollindex also writes an index, while our run writes metadata and text to one file. recollindex skips formats whose helper programs are not installed.',
    ];
    return { rows, notes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

export default bench;

async function largePhotos(folder: string, count: number): Promise<CorpusFile[]> {
  mkdirSync(folder);
  const photos = await Promise.all([1, 2, 3].map((seed) => makePhoto(4000, 3000, seed)));
  return Array.from({ length: count }, (_, i) => {
    const bytes = photos[i % photos.length] as Buffer;
    const filename = `large-${i}.jpg`;
    const path = join(folder, filename);
    writeFileSync(path, bytes);
    return { path, filename, extension: 'jpg', size: bytes.length, kind: 'large' };
  });
}

async function perKind(files: readonly CorpusFile[], output: string): Promise<Map<string, Run>> {
  const runs = new Map<string, Run>();
  for (const kind of new Set(files.map((file) => file.kind))) {
    if (kind === 'photo') continue;
    runs.set(
      kind,
      await extractAll(
        files.filter((file) => file.kind === kind),
        output,
      ),
    );
  }
  return runs;
}

function kindRows(files: readonly CorpusFile[], runs: ReadonlyMap<string, Run>): Row[] {
  return [...runs].map(([kind, run]) => ({
    name: `  ${kind} (${files.filter((file) => file.kind === kind).length})`,
    value: speed(run),
    unit: 'files/s',
    peer: '',
    ratio: null,
    limit: '',
    ok: run.failed === 0,
    detail: run.failed === 0 ? '' : `${run.failed} failed`,
  }));
}

/** The limit applies only if the peer is installed. */
function compare(name: string, ours: Run, theirs: Run | null, peer: string, minRatio: number): Row {
  const ratio = theirs === null ? null : Math.round((speed(ours) / speed(theirs)) * 100) / 100;
  return {
    name,
    value: speed(ours),
    unit: 'files/s',
    peer: theirs === null ? `${peer}: not installed` : `${peer}: ${speed(theirs)} files/s`,
    ratio,
    limit: `at least ${minRatio} x`,
    ok: ours.failed === 0 && (ratio === null || ratio >= minRatio),
    detail: `${ours.files} files in ${ours.seconds.toFixed(1)} s, sandbox processes ${ours.peakMb} MB${ours.failed > 0 ? `, ${ours.failed} failed` : ''}`,
  };
}

function speed(run: Run): number {
  return Math.round((run.files / run.seconds) * 10) / 10;
}
