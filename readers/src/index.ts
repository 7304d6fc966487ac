export type { Extracted, ExtractErrorKind, Extractor, Limits, Source, Thumbnailer, ThumbTier } from './contract.ts';
export { defaultLimits, ExtractError } from './contract.ts';
export { type Provenance, readProvenance } from './input/provenance.ts';
export { extractors, findExtractor } from './registry.ts';
export { prepareSandbox } from './sandbox/launch.ts';
export {
  createSandboxPool,
  type SandboxPool,
  type SandboxPoolOptions,
} from './sandbox/pool.ts';
export type { ExtractOutcome, FileJob, SandboxTask, TaskFailure, TaskOutcome } from './sandbox/protocol.ts';
export { meshExtensions } from './formats/mesh/model3d.ts';
export { mayNeedOcr, embeddedTextMinChars } from './ocr.ts';
export { locateTool } from './input/external-tool.ts';
export { pdfExtensions } from './render/pdf.ts';
export type { PageWord } from './render/pdf.ts';
export type { ThumbnailTiers, ThumbnailTierSizes } from './render/thumbnails.ts';
export { findThumbnailer, thumbnailers } from './render/thumbnails.ts';
export { sidecarMaxBytes, readSidecarFile, type SidecarFacts, type SidecarFormat } from './sidecars/read-sidecar.ts';
export * from './tasks/index.ts';
export type { OcrOptions, OcrResult } from './tasks/ocr-task.ts';
export type { SniffResult } from './tasks/sniff-task.ts';
export type { ThumbTaskOptions } from './tasks/thumb-task.ts';
