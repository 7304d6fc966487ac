import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defaultLimits, type Limits } from '@catalog/readers';
import { diskPath } from '@catalog/scanner';
import type { Settings } from '../../settings/index.ts';

/** Settings of the service, with the library's overrides on top; blank keys keep the global value. */
export function limitsFor(settings: Settings, overrides: Record<string, number> | null): Limits {
  const given = (key: string, global: number): number => overrides?.[key] ?? global;
  return {
    ...defaultLimits,
    timeoutSeconds: given('extract_timeout_seconds', settings.extractTimeoutSeconds),
    ffprobeTimeoutSeconds: given('ffprobe_timeout_s', settings.ffprobeTimeoutS),
    ffprobeDeepHdr: settings.ffprobeDeepHdr,
    exifTimeoutSeconds: settings.exifTimeoutS,
    documentMaxBytes: given('document_max_bytes', settings.documentMaxBytes),
    decompressedMaxBytes: given('doc_decompressed_max', settings.docDecompressedMax),
    decompressionRatio: given('doc_decompression_ratio', settings.docDecompressionRatio),
    decompressionRatioMinBytes: given('doc_decompression_ratio_min_bytes', settings.docDecompressionRatioMinBytes),
    model3dMaxBytes: given('model3d_max_bytes', settings.model3dMaxBytes),
    model3dAccurateMaxBytes: settings.model3dAccurateMaxBytes,
    emailMaxBytes: given('email_max_bytes', settings.emailMaxBytes),
    mboxMaxMessages: settings.emailMboxMaxMessages,
    archiveMaxMembers: settings.archiveMaxMembers,
  };
}

/**
 * A path the readers can be told as text. A name whose bytes are not UTF-8 has none, so it is reached through a link with a plain name in a
 * folder of its own, which `release` removes.
 */
export function reachablePath(root: string, relPath: string): { path: string; release(): void } {
  const onDisk = diskPath(path.join(root, relPath));
  if (typeof onDisk === 'string') return { path: onDisk, release: () => {} };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-name-'));
  const link = path.join(folder, `file${path.extname(relPath).replace(/[^.a-zA-Z0-9]/g, '')}`);
  symlinkSync(onDisk, link);
  return { path: link, release: () => rmSync(folder, { recursive: true, force: true }) };
}
