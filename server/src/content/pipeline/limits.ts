import type { Settings } from '../../settings/index.ts';
import { defaultLimits, type Limits } from '@catalog/readers';

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
