import {
  type SandboxPool,
  type FileJob,
  findExtractor,
  readProvenance,
  findThumbnailer,
  type ThumbnailTiers,
  mayNeedOcr,
  type OcrResult,
  embeddedTextMinChars,
} from '@catalog/readers';
import { Problem } from '../../platform/problem.ts';
import { openItemFile } from '../../catalog/items/index.ts';
import { isSidecarKey, mergeSidecar } from '../../catalog/sidecars/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';
import { effectiveExtension } from '../sniff/index.ts';
import { thumbKey, type ThumbStore } from '../thumbs/index.ts';
import { limitsFor, reachablePath } from './file-job.ts';
import {
  findSameContent,
  removePending,
  clearThumbDue,
  recordThumbDue,
  type PendingItem,
  type ExtractionResult,
  writeExtractionResult,
  writeThumbKey,
} from './store.ts';

export interface ExtractionDependencies {
  db: Db;
  settings: Settings;
  pool: SandboxPool;
  thumbs: ThumbStore;
  /** At a critically full disk no thumbnail is written. */
  mayWriteThumbs(): Promise<boolean>;
  /** Told what became of the picture of a file that some renderer knows. */
  onThumb?(state: ThumbState): void;
}

/** settled: drawn, there already, or the file holds none; due: left for when there is room. */
export type ThumbState = 'settled' | 'failed' | 'due';

export type ItemOutcome = 'extracted' | 'copied' | 'unchanged' | 'failed' | 'gone' | 'stopped';

/**
 * One item through extraction and thumbnail.
 *
 * Nothing is read when the same bytes went through the same extractor before, for this item or another. A file that cannot be opened stays
 * as it was: the next scan tells what became of it. A failure is stored as a marker with its kind; the rest of the item is kept.
 */
export async function processItem(parts: ExtractionDependencies, item: PendingItem, signal: AbortSignal): Promise<ItemOutcome> {
  if (!(await isReachable(item))) {
    await removePending(parts.db, item.id);
    return 'gone';
  }
  const place = reachablePath(item.root_path, item.rel_path);
  try {
    // Where a file was downloaded from is an attribute of the file, not of its bytes: read each time, kept beside the facts.
    const origin = parts.settings.provenanceEnabled ? readProvenance(place.path) : {};
    return await processFile(place.path, parts, { ...item, metadata: { ...item.metadata, ...origin } }, signal);
  } finally {
    place.release();
  }
}

/** A folder on the way that became a link since the scan would lead out of the library: what it leads to is not read. */
async function isReachable(item: PendingItem): Promise<boolean> {
  try {
    await (await openItemFile(item.root_path, item.rel_path)).close();
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function processFile(path: string, parts: ExtractionDependencies, item: PendingItem, signal: AbortSignal): Promise<ItemOutcome> {
  const { db, settings, pool } = parts;
  const extension = effectiveExtension(item);
  const extractor = findExtractor(extension);
  const bytes = item.content_hash ?? `${item.quick_hash ?? 'unhashed'}-${item.size}-${item.mtime_ns}`;
  const wantsOcr = item.ocr_enabled && mayNeedOcr(extension);
  const key = `${bytes}:${extractor ? `${extractor.name}@${extractor.version}` : 'none'}:${extension}${wantsOcr ? ':ocr' : ''}`;
  const failedBefore = item.metadata['_extract_error'] !== undefined;
  const job: FileJob = {
    path,
    filename: item.filename,
    extension,
    size: item.size,
    limits: limitsFor(settings, item.extract_overrides),
  };

  if (item.extracted_key === key && !item.forced && !failedBefore) {
    if (item.thumb_due) await redrawThumbnail(parts, item, job, bytes, signal);
    await removePending(db, item.id);
    return 'unchanged';
  }
  const twin = item.forced || item.content_hash === null ? null : await findSameContent(db, key);
  if (twin) {
    const { thumb_due, ...facts } = twin;
    if (thumb_due) await recordThumbDue(db, item.id);
    await writeExtraction(parts, item, {
      ...facts,
      metadata: { ...factsOfBytes(twin.metadata), ...factsBesideBytes(item.metadata) },
      thumb_key: twin.thumb_key,
    });
    if (settings.thumbsEnabled && findThumbnailer(extension)) parts.onThumb?.(thumb_due ? 'due' : 'settled');
    return 'copied';
  }
  if (!extractor) {
    const thumb_key = await thumbnail(parts, item, job, bytes, signal);
    await writeExtraction(parts, item, {
      metadata: factsBesideBytes(item.metadata),
      title: null,
      year: null,
      body_text: null,
      archive_members: null,
      extracted_key: key,
      thumb_key,
    });
    return 'extracted';
  }
  const outcome = await pool.extract(job, signal);
  if (!outcome.ok && outcome.stopped) return 'stopped';
  if (!outcome.ok && outcome.unreadable) {
    await removePending(db, item.id);
    return 'gone';
  }
  const thumb_key = await thumbnail(parts, item, job, bytes, signal);
  if (!outcome.ok) {
    await writeExtraction(parts, item, failure(item, key, outcome, thumb_key));
    return 'failed';
  }
  const found = outcome.unsupported ? { metadata: {} } : outcome.extracted;
  const recognised =
    wantsOcr && (found.bodyText ?? '').trim().length < embeddedTextMinChars ? await recogniseText(parts, job, bytes, signal) : {};
  await writeExtraction(parts, item, {
    metadata: {
      ...found.metadata,
      ...(found.bodyTextTruncated ? { body_text_truncated: true } : {}),
      ...recognised,
      ...factsBesideBytes(item.metadata),
    },
    title: found.title ?? null,
    year: found.year ?? null,
    body_text: found.bodyText ?? null,
    archive_members: found.archiveMembers ?? null,
    extracted_key: key,
    thumb_key,
  });
  return 'extracted';
}

/** Sidecars have their say on title and year whenever either side changes. */
async function writeExtraction({ db, settings }: ExtractionDependencies, item: PendingItem, result: ExtractionResult): Promise<void> {
  await writeExtractionResult(db, item, { ...result, ...mergeSidecar(result, result.metadata, settings.sidecarMetadataPriority) });
}

function failure(
  item: PendingItem,
  key: string,
  { kind, message }: { kind: string; message: string },
  thumb_key: string | null,
): ExtractionResult {
  return {
    metadata: { ...factsBesideBytes(item.metadata), _extract_error: message, _extract_error_kind: kind },
    title: item.title,
    year: item.year,
    body_text: null,
    archive_members: null,
    extracted_key: key,
    thumb_key,
  };
}

/** Facts that do not come from the bytes: sidecars, provenance, and what was computed on demand. They survive a new extraction. */
function factsBesideBytes(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => isBesideBytes(key)));
}

/** The other way round: of a twin's facts only those of the bytes are taken over. */
function factsOfBytes(metadata: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(metadata).filter(([key]) => !isBesideBytes(key)));
}

function isBesideBytes(key: string): boolean {
  return isSidecarKey(key) || ['origin_url', 'referrer_url', 'sniffed'].includes(key);
}

/** Printed text of pictures and scanned pages, in libraries that asked for it; skipped at a critically full disk. A failure is told beside the other facts. */
async function recogniseText(
  { settings, pool, mayWriteThumbs }: ExtractionDependencies,
  job: FileJob,
  bytes: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  if (!(await mayWriteThumbs())) return {};
  const limits = { ...job.limits, timeoutSeconds: settings.ocrTimeoutS * settings.ocrMaxPages + 30 };
  const options = {
    lang: settings.ocrLang,
    maxPages: settings.ocrMaxPages,
    pageSeconds: settings.ocrTimeoutS,
    maxChars: limits.bodyTextMaxChars,
  };
  const outcome = await pool.run<OcrResult>('ocr', { ...job, limits }, options, signal);
  if (!outcome.ok) return outcome.stopped ? {} : { _ocr_error: outcome.message };
  const { text, truncated } = outcome.result;
  return text === ''
    ? { ocr_source_hash: bytes }
    : { ocr_text: text, ocr_source_hash: bytes, ...(truncated ? { ocr_text_truncated: true } : {}) };
}

/** Draws the picture unless it is there; a file without one has none, and a failure here never fails the extraction. */
async function thumbnail(
  parts: ExtractionDependencies,
  item: PendingItem,
  job: FileJob,
  bytes: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { db, settings, pool, thumbs, mayWriteThumbs } = parts;
  const report = (state: ThumbState, key: string | null): string | null => {
    parts.onThumb?.(state);
    return key;
  };
  const renderer = settings.thumbsEnabled ? findThumbnailer(job.extension) : undefined;
  if (!renderer) return null;
  const sizes = { gridPx: settings.thumbnailGridPx, previewPx: settings.thumbnailPreviewPx };
  const key = thumbKey({ contentHash: bytes, renderer: { name: renderer.name, version: renderer.version }, sizes });
  if (await thumbs.has(key)) {
    if (item.thumb_due) await clearThumbDue(db, item.id);
    return report('settled', key);
  }
  if (!(await mayWriteThumbs())) {
    await recordThumbDue(db, item.id);
    return report('due', item.thumb_key);
  }
  const drawn = await pool.run<ThumbnailTiers | null>('thumb', job, { ...sizes, acceleration: settings.thumbAccel }, signal);
  if (!drawn.ok && drawn.stopped) return report('due', item.thumb_key);
  if (item.thumb_due) await clearThumbDue(db, item.id);
  if (!drawn.ok) return report('failed', null);
  if (drawn.result === null) return report('settled', null);
  try {
    await thumbs.write(key, { grid: Buffer.from(drawn.result.grid), preview: Buffer.from(drawn.result.preview) });
    return report('settled', key);
  } catch {
    await recordThumbDue(db, item.id);
    return report('due', null);
  }
}

/** Only the picture is missing: everything else stays as it is. */
async function redrawThumbnail(
  parts: ExtractionDependencies,
  item: PendingItem,
  job: FileJob,
  bytes: string,
  signal: AbortSignal,
): Promise<void> {
  const key = await thumbnail(parts, item, job, bytes, signal);
  if (key !== item.thumb_key) await writeThumbKey(parts.db, item.id, key);
}
