export type { Extracted, ExtractErrorKind, Extractor, Limits, Source, Thumbnailer, ThumbTier } from './contract.ts';
export { defaultLimits, ExtractError } from './contract.ts';
export { type Provenance, readProvenance } from './reading/provenance.ts';
export { extractors, findExtractor } from './registry.ts';
export { prepareSandbox as prepareLaunch } from './sandbox/launch.ts';
export {
  createSandboxPool as createExtractPool,
  type SandboxPool as ExtractPool,
  type SandboxPoolOptions as ExtractPoolOptions,
} from './sandbox/pool.ts';
export type { ExtractOutcome, FileJob, SandboxTask, TaskFailure, TaskOutcome } from './sandbox/protocol.ts';
export { meshExtensions } from './formats/mesh/read-mesh.ts';
export { mayNeedOcr, embeddedTextMinChars as ownTextMinChars } from './ocr/candidates.ts';
export { locateTool } from './reading/tool.ts';
export { pdfExtensions } from './render/pdf.ts';
export type { PageWord } from './render/pdf-words.ts';
export type { ThumbnailTiers as Tiers, ThumbnailTierSizes as TierSizes } from './render/render-tiers.ts';
export { findThumbnailer, thumbnailers } from './render/thumbnailers.ts';
export { sidecarMaxBytes as largestSidecar, readSidecarFile, type SidecarFacts, type SidecarFormat } from './sidecars/read-sidecar.ts';
export * from './tasks/index.ts';
export type { OcrOptions, OcrResult } from './tasks/ocr-task.ts';
export type { SniffResult as Sniffed } from './tasks/sniff-task.ts';
export type { ThumbTaskOptions } from './tasks/thumb-task.ts';
