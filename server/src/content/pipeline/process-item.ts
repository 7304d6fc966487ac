import { createHash } from 'node:crypto';
import {
  type FileJob,
  findThumbnailer,
  hasOwnText,
  mayNeedOcr,
  type Recognised,
  readProvenance,
  recogniseText,
  type SandboxPool,
  type ThumbnailTiers,
} from '@catalog/readers';
import { openItemFile } from '../../catalog/items/index.ts';
import { keepOwn, mergeSidecar, ownOf } from '../../catalog/sidecars/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { Problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { detectItemType, effectiveExtension, shownExtension } from '../sniff/index.ts';
import { type ThumbStore, thumbKey } from '../thumbs/index.ts';
import { factsBesideBytes, factsOfBytes } from './facts.ts';
import { limitsFor, reachablePath } from './file-job.ts';
import { chooseReader } from './read-as.ts';
import {
  clearThumbDue,
  type ExtractionResult,
  findSameContent,
  leaveToScan,
  type PendingItem,
  recordThumbDue,
  removePending,
  writeExtractionResult,
  writeThumbKey,
} from './store.ts';

export interface ExtractionDependencies {
  db: Db;
  settings: Settings;
  pool: SandboxPool;
  thumbs: ThumbStore;
  /** False while the disk is critically full. */
  mayWriteThumbs(): Promise<boolean>;
  /** Called with the outcome for the thumbnail of a file that some thumbnailer supports. */
  onThumb?(state: ThumbState): void;
}

/** settled: drawn, already present, or the file has no picture. due: postponed until there is disk space. */
export type ThumbState = 'settled' | 'failed' | 'due';

export type ItemOutcome = 'extracted' | 'copied' | 'unchanged' | 'failed' | 'gone' | 'stopped';

/**
 * Extracts one item and draws its thumbnail.
 *
 * The file is not read when the same bytes went through the same extractor before, for this item or another. An item whose file cannot be
 * opened, or changes while it is read, is left unchanged; the next scan finds out why, and queues it again. A failure is stored as an error marker; the
 * rest of the item is kept.
 */
export async function processItem(deps: ExtractionDependencies, item: PendingItem, signal: AbortSignal): Promise<ItemOutcome> {
  const onDisk = await look(item);
  if (!onDisk) return gone(deps, item);
  const reachable = reachablePath(item.root_path, item.rel_path);
  try {
    // The download origin is an attribute of the file, not of its bytes, so it is read every time.
    const origin = deps.settings.provenanceEnabled ? readProvenance(reachable.path) : {};
    return await processFile(reachable.path, deps, { ...item, metadata: { ...item.metadata, ...origin } }, onDisk, signal);
  } finally {
    reachable.release();
  }
}

/** A file as it is now, which may differ from its item until the next scan. */
interface FileOnDisk {
  size: number;
  mtimeNs: string;
}

/** Null when the file is gone, or when a folder above it became a symbolic link since the scan, which could lead out of the library. */
async function look(item: PendingItem): Promise<FileOnDisk | null> {
  try {
    const file = await openItemFile(item.root_path, item.rel_path);
    await file.close();
    return { size: file.size, mtimeNs: file.mtimeNs };
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

async function isUnchanged(item: PendingItem, before: FileOnDisk): Promise<boolean> {
  const now = await look(item);
  return now !== null && now.size === before.size && now.mtimeNs === before.mtimeNs;
}

/**
 * Names the bytes for results and thumbnails that are shared by equal files. The hashes of a scan do not belong to a file that has changed
 * since, so such a file shares nothing.
 */
function nameOfBytes(
  { id, content_hash, quick_hash, size, mtime_ns }: PendingItem,
  onDisk: FileOnDisk,
): { bytes: string; isHashed: boolean } {
  if (onDisk.size !== size || onDisk.mtimeNs !== mtime_ns)
    return { bytes: `changed-${id}-${onDisk.size}-${onDisk.mtimeNs}`, isHashed: false };
  return { bytes: content_hash ?? `${quick_hash ?? `unhashed-${id}`}-${size}-${mtime_ns}`, isHashed: content_hash !== null };
}

/** What a result depends on besides the bytes and their reader, as parts of its key. */
function otherInputs({ filename, extract_overrides }: PendingItem, usesName: boolean): string[] {
  const limits = Object.entries(extract_overrides ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const inputs = { ...(usesName && { filename }), ...(limits.length > 0 && { limits }) };
  if (Object.keys(inputs).length === 0) return [];
  return [createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16)];
}

async function gone({ db }: ExtractionDependencies, item: PendingItem): Promise<'gone'> {
  await leaveToScan(db, item);
  return 'gone';
}

async function processFile(
  path: string,
  deps: ExtractionDependencies,
  pending: PendingItem,
  onDisk: FileOnDisk,
  signal: AbortSignal,
): Promise<ItemOutcome> {
  const { db, settings, pool } = deps;
  const item = await withDetectedType(path, deps, pending, signal);
  if (item === 'stopped') return 'stopped';
  if (item === 'unreadable') return gone(deps, pending);
  const named: FileJob = {
    path,
    root: item.root_path,
    filename: item.filename,
    extension: effectiveExtension(item),
    size: onDisk.size,
    limits: limitsFor(settings, item.extract_overrides),
  };
  const chosen = await chooseReader({ db, pool, sniffBytes: settings.contentSniffReadBytes }, named, item.file_category, signal);
  if (chosen === 'stopped') return 'stopped';
  const { extractor, extension, version } = chosen;
  const job: FileJob = { ...named, extension };
  const { bytes, isHashed } = nameOfBytes(item, onDisk);
  const wantsOcr = item.ocr_enabled && mayNeedOcr(extension);
  const keyWithoutOcr = [bytes, version, named.extension, ...otherInputs(item, extractor?.usesName === true)].join(':');
  const key = wantsOcr ? `${keyWithoutOcr}:ocr` : keyWithoutOcr;
  const failedBefore = item.metadata['_extract_error'] !== undefined;

  if (item.extracted_key === key && !item.forced && !failedBefore) {
    if (item.thumb_due)
      await redrawThumbnail(deps, item, { ...job, extension: shownExtension({ ...item, extension }) }, { bytes, onDisk }, signal);
    await removePending(db, item);
    return 'unchanged';
  }
  const same = item.forced || !isHashed ? null : await findSameContent(db, key);
  if (same) {
    const { thumb_due, ...facts } = same;
    if (thumb_due) await recordThumbDue(db, item.id);
    await writeExtraction(deps, item, {
      ...facts,
      metadata: { ...factsOfBytes(same.metadata), ...factsBesideBytes(item.metadata) },
      thumb_key: same.thumb_key,
    });
    if (settings.thumbsEnabled && findThumbnailer(extension)) deps.onThumb?.(thumb_due ? 'due' : 'settled');
    return 'copied';
  }
  if (!extractor) {
    const thumb_key = await thumbnail(deps, item, job, { bytes, onDisk }, signal);
    if (!(await isUnchanged(item, onDisk))) return gone(deps, item);
    await writeExtraction(deps, item, {
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
  if (!outcome.ok && outcome.unreadable) return gone(deps, item);
  const drawn =
    outcome.ok && !outcome.unsupported ? { ...job, extension: shownExtension({ extension, metadata: outcome.extracted.metadata }) } : job;
  const thumb_key = await thumbnail(deps, item, drawn, { bytes, onDisk }, signal);
  if (!outcome.ok) {
    if (!(await isUnchanged(item, onDisk))) return gone(deps, item);
    await writeExtraction(deps, item, failure(deps, item, key, outcome, thumb_key));
    return 'failed';
  }
  const found = outcome.unsupported ? { metadata: {} } : outcome.extracted;
  const recognised =
    wantsOcr && !hasOwnText(found.bodyText) ? await recognise(deps, job, bytes, signal) : { metadata: {}, unavailable: false };
  if (recognised === 'stopped') return 'stopped';
  if (!(await isUnchanged(item, onDisk))) return gone(deps, item);
  await writeExtraction(deps, item, {
    metadata: {
      ...found.metadata,
      ...(found.bodyTextTruncated ? { body_text_truncated: true } : {}),
      ...recognised.metadata,
      ...factsBesideBytes(item.metadata),
    },
    title: found.title ?? null,
    year: found.year ?? null,
    body_text: found.bodyText ?? null,
    archive_members: found.archiveMembers ?? null,
    // This key never matches, so the text is recognised later.
    extracted_key: recognised.unavailable ? `${key} unavailable` : key,
    thumb_key,
  });
  return 'extracted';
}

/** In libraries that ask for it, a file without an extension is read by the type that its first bytes show. */
async function withDetectedType(
  path: string,
  { db, settings, pool }: ExtractionDependencies,
  item: PendingItem,
  signal: AbortSignal,
): Promise<PendingItem | 'stopped' | 'unreadable'> {
  if (!item.content_sniff_enabled || item.extension !== null || item.size === 0 || item.metadata['sniffed'] !== undefined) return item;
  const found = await detectItemType(db, pool, { ...item, path }, { readBytes: settings.contentSniffReadBytes, signal });
  if (found === 'stopped' || found === 'unreadable') return found;
  return { ...item, file_category: found.category ?? item.file_category, metadata: { ...item.metadata, sniffed: found.sniffed } };
}

/** Merges sidecar facts into title and year whenever the item or its sidecar changes. */
async function writeExtraction({ db, settings }: ExtractionDependencies, item: PendingItem, result: ExtractionResult): Promise<void> {
  const metadata = keepOwn(result, result.metadata);
  await writeExtractionResult(db, item, { ...result, metadata, ...mergeSidecar(result, metadata, settings.sidecarMetadataPriority) });
}

function failure(
  { settings }: ExtractionDependencies,
  item: PendingItem,
  key: string,
  { kind, message }: { kind: string; message: string },
  thumb_key: string | null,
): ExtractionResult {
  return {
    metadata: { ...factsBesideBytes(item.metadata), _extract_error: message, _extract_error_kind: kind },
    ...ownOf(item, settings.sidecarMetadataPriority),
    body_text: null,
    archive_members: null,
    extracted_key: key,
    thumb_key,
  };
}

/**
 * OCR of pictures and scanned pages, in libraries that enable it. While the disk is critically full, or the language is not installed, it is
 * left to `queueStale`.
 */
async function recognise(
  { settings, pool, mayWriteThumbs }: ExtractionDependencies,
  job: FileJob,
  bytes: string,
  signal: AbortSignal,
): Promise<Recognised | 'stopped'> {
  if (!(await mayWriteThumbs())) return { metadata: {}, unavailable: true };
  const rules = { lang: settings.ocrLang, maxPages: settings.ocrMaxPages, pageSeconds: settings.ocrTimeoutS };
  return recogniseText(pool, job, rules, bytes, signal);
}

/** Draws the thumbnail unless it exists; returns its key, or null when there is none. A failure here never fails the extraction. */
async function thumbnail(
  deps: ExtractionDependencies,
  item: PendingItem,
  job: FileJob,
  { bytes, onDisk }: { bytes: string; onDisk: FileOnDisk },
  signal: AbortSignal,
): Promise<string | null> {
  const { db, settings, pool, thumbs, mayWriteThumbs } = deps;
  const report = (state: ThumbState, key: string | null): string | null => {
    deps.onThumb?.(state);
    return key;
  };
  const renderer = findThumbnailer(job.extension);
  if (!renderer) {
    // Otherwise a pass every five minutes would try again for ever.
    if (item.thumb_due) await clearThumbDue(db, item.id);
    return null;
  }
  if (!settings.thumbsEnabled) {
    // Drawn once thumbnails are switched on.
    await recordThumbDue(db, item.id);
    return null;
  }
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
  if (!drawn.ok && drawn.stopped) {
    // The extraction is complete and is stored, so nothing else would draw it later.
    await recordThumbDue(db, item.id);
    return report('due', item.thumb_key);
  }
  if (item.thumb_due) await clearThumbDue(db, item.id);
  if (!drawn.ok) return report('failed', null);
  if (drawn.result === null) return report('settled', null);
  if (!(await isUnchanged(item, onDisk))) return report('settled', item.thumb_key);
  try {
    await thumbs.write(key, { grid: Buffer.from(drawn.result.grid), preview: Buffer.from(drawn.result.preview) });
    return report('settled', key);
  } catch {
    // Most likely a full disk: the thumbnail stays due and is drawn by a later pass.
    await recordThumbDue(db, item.id);
    return report('due', null);
  }
}

/** Draws a missing thumbnail of an item that needs no extraction. */
async function redrawThumbnail(
  deps: ExtractionDependencies,
  item: PendingItem,
  job: FileJob,
  file: { bytes: string; onDisk: FileOnDisk },
  signal: AbortSignal,
): Promise<void> {
  const key = await thumbnail(deps, item, job, file, signal);
  if (key !== item.thumb_key) await writeThumbKey(deps.db, item.id, key);
}
