import type { Extractor } from './contract.ts';
import { findExtractor } from './registry.ts';
import type { SandboxPool } from './sandbox/pool.ts';
import type { FileJob } from './sandbox/protocol.ts';
import type { SniffResult } from './tasks/sniff-task.ts';

/** How a file is read: as which extension, and by which extractor. */
export interface ReadAs {
  extension: string;
  extractor: Extractor | undefined;
  /** Identifies the extractor in the key of an extraction; `none` when there is none. */
  version: string;
}

/** What the taxonomy says: the extractor to which the category of an extension routes, if any. */
type ExtractorOfExtension = (extension: string) => string | null | undefined;

/**
 * An extension that a reader knows is read by that reader. Any other is routed to the extractor of its category: the file is read by the
 * format that its bytes show, if that format belongs to the same extractor. So a JPEG named x.jpgx is read as a photo once jpgx is in the
 * category of images, and a project file among the audio extensions is not read as broken audio.
 */
export async function chooseReader(
  { pool, sniffBytes, extractorOf }: { pool: SandboxPool; sniffBytes: number; extractorOf: ExtractorOfExtension },
  job: FileJob,
  routed: string | null | undefined,
  signal: AbortSignal,
): Promise<ReadAs | 'stopped'> {
  const own = findExtractor(job.extension);
  if (own) return { extension: job.extension, extractor: own, version: `${own.name}@${own.version}` };
  if (!routed || job.extension === '') return { extension: job.extension, extractor: undefined, version: 'none' };
  const sniffed = await pool.run<SniffResult>('sniff', job, { readBytes: sniffBytes }, signal);
  if (!sniffed.ok && sniffed.stopped) return 'stopped';
  const { extension: shown, mime } = sniffed.ok ? sniffed.result : { extension: null, mime: null };
  const belongs = extractorOf(shown ?? '') === routed;
  const found = belongs ? (shown ?? '') : routed === 'document' && mime?.startsWith('text/') ? 'txt' : '';
  const extractor = findExtractor(found);
  return extractor
    ? { extension: found, extractor, version: `${extractor.name}@${extractor.version}` }
    : { extension: job.extension, extractor: undefined, version: `unmatched-${routed}` };
}
