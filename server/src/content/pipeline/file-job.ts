import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defaultLimits, type Limits } from '@catalog/readers';
import { diskPath } from '@catalog/scanner';
import type { Settings } from '../../settings/index.ts';

/** Extraction limits from the settings, with the library's overrides; a key that is not overridden keeps the global value. */
export function limitsFor(settings: Settings, overrides: Record<string, number> | null): Limits {
  const limit = (key: string, global: number): number => overrides?.[key] ?? global;
  return {
    ...defaultLimits,
    timeoutSeconds: limit('extract_timeout_seconds', settings.extractTimeoutSeconds),
    ffprobeTimeoutSeconds: limit('ffprobe_timeout_s', settings.ffprobeTimeoutS),
    ffprobeDeepHdr: settings.ffprobeDeepHdr,
    exifTimeoutSeconds: settings.exifTimeoutS,
    documentMaxBytes: limit('document_max_bytes', settings.documentMaxBytes),
    decompressedMaxBytes: limit('doc_decompressed_max', settings.docDecompressedMax),
    decompressionRatio: limit('doc_decompression_ratio', settings.docDecompressionRatio),
    decompressionRatioMinBytes: limit('doc_decompression_ratio_min_bytes', settings.docDecompressionRatioMinBytes),
    model3dMaxBytes: limit('model3d_max_bytes', settings.model3dMaxBytes),
    model3dAccurateMaxBytes: settings.model3dAccurateMaxBytes,
    emailMaxBytes: limit('email_max_bytes', settings.emailMaxBytes),
    mboxMaxMessages: settings.emailMboxMaxMessages,
    archiveMaxMembers: settings.archiveMaxMembers,
    bodyTextMaxChars: limit('body_text_max_chars', settings.bodyTextMaxChars),
  };
}

/**
 * A path that can be passed to readers as text. A file name that is not valid UTF-8 cannot, so it is reached through a symbolic link in a
 * temporary folder, which `release` removes.
 */
export function reachablePath(root: string, relPath: string): { path: string; release(): void } {
  const onDisk = diskPath(path.join(root, relPath));
  if (typeof onDisk === 'string') return { path: onDisk, release: () => {} };
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-name-'));
  const link = path.join(folder, `file${path.extname(relPath).replace(/[^.a-zA-Z0-9]/g, '')}`);
  symlinkSync(onDisk, link);
  return { path: link, release: () => rmSync(folder, { recursive: true, force: true }) };
}
