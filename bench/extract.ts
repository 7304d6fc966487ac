/**
 * Reading files, raced in one run on one machine: photo tags against exiftool, facts and text of a whole corpus against recollindex, and
 * thumbnails of 12-megapixel photos against a bare sharp loop. Everything of ours goes through the real sandbox.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiBeside } from './extract/api-beside.ts';
import { type CorpusFile, makeCorpus, makePhoto } from './extract/corpus.ts';
import { bareSharp, cores, drawAll, exiftool, extractAll, type Run, recollindex, versionOf } from './extract/races.ts';
import type { Bench, Row } from './row.ts';

const bench: Bench = async ({ scale }) => {
  const work = mkdtempSync(join(tmpdir(), 'bench-extract-'));
  try {
    const root = join(work, 'corpus');
    const corpus = await makeCorpus(root, scale);
    const photos = corpus.files.filter((file) => file.kind === 'photo');
    const facts = join(work, 'facts.ndjson');

    const ourPhotos = await extractAll(photos, facts);
    const theirPhotos = exiftool(corpus.folder('photo'), photos.length);
    const ourAll = await extractAll(corpus.files, facts);
    const theirAll = recollindex(root, work, corpus.files.length);

    const large = await largePhotos(join(work, 'large'), Math.max(12, Math.round(60 * scale)));
    const bare = await bareSharp(large);
    const ours = await drawAll(large);

    const beside = await apiBeside(work, corpus.files, cores, scale);

    const rows: Row[] = [
      race('photo tags', ourPhotos, theirPhotos, 'exiftool -r -json', 5),
      race('whole corpus, facts and text', ourAll, theirAll, 'recollindex', 3),
      race('thumbnails of 12 MP photos, two tiers', ours, bare, 'bare sharp loop', 0.8),
      ...kindRows(corpus.files, await perKind(corpus.files, facts)),
      {
        name: 'memory of the readers',
        value: Math.max(ourAll.peakMb, ours.peakMb),
        unit: 'MB',
        peer: '',
        ratio: null,
        limit: `below ${cores} x 1024`,
        ok: Math.max(ourAll.peakMb, ours.peakMb) < cores * 1024,
      },
      ...beside,
    ];
    const notes = [
      `${corpus.files.length} files, ${cores} readers; exiftool ${versionOf('exiftool', '-ver')}`,
      'recollindex also writes its index; ours writes facts and text to one file. recollindex leaves out what its helpers are missing for.',
    ];
    return { rows, notes };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
};

export default bench;

async function largePhotos(folder: string, count: number): Promise<CorpusFile[]> {
  mkdirSync(folder);
  const made = await Promise.all([1, 2, 3].map((seed) => makePhoto(4000, 3000, seed)));
  return Array.from({ length: count }, (_, i) => {
    const bytes = made[i % made.length] as Buffer;
    const filename = `large-${i}.jpg`;
    const path = join(folder, filename);
    writeFileSync(path, bytes);
    return { path, filename, extension: 'jpg', size: bytes.length, kind: 'large' };
  });
}

async function perKind(files: readonly CorpusFile[], facts: string): Promise<Map<string, Run>> {
  const runs = new Map<string, Run>();
  for (const kind of new Set(files.map((file) => file.kind))) {
    if (kind === 'photo') continue;
    runs.set(
      kind,
      await extractAll(
        files.filter((file) => file.kind === kind),
        facts,
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

/** A race without its peer installed shows our figure and judges nothing. */
function race(name: string, ours: Run, theirs: Run | null, peer: string, least: number): Row {
  const ratio = theirs === null ? null : Math.round((speed(ours) / speed(theirs)) * 100) / 100;
  return {
    name,
    value: speed(ours),
    unit: 'files/s',
    peer: theirs === null ? `${peer}: not installed` : `${peer}: ${speed(theirs)} files/s`,
    ratio,
    limit: `at least ${least} x`,
    ok: ours.failed === 0 && (ratio === null || ratio >= least),
    detail: `${ours.files} files in ${ours.seconds.toFixed(1)} s, readers ${ours.peakMb} MB${ours.failed > 0 ? `, ${ours.failed} failed` : ''}`,
  };
}

function speed(run: Run): number {
  return Math.round((run.files / run.seconds) * 10) / 10;
}
