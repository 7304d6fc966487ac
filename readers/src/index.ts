export type { ExtractErrorKind, Extracted, Extractor, Limits, Source, Thumbnailer, ThumbTier } from './contract.ts';
export { defaultLimits, ExtractError } from './contract.ts';
export { meshExtensions } from './formats/mesh/model3d.ts';
export { locateTool } from './input/external-tool.ts';
export { type Provenance, readProvenance } from './input/provenance.ts';
export { knownLimits } from './known-limits.ts';
export { ocrObstacle } from './ocr.ts';
export { chooseReader, type ReadAs } from './read-as.ts';
export { hasOwnText, mayNeedOcr, type OcrRules, ocrExtensions, type Recognised, recogniseText } from './recognise.ts';
export { extractors, findExtractor } from './registry.ts';
export { slideExtensions } from './render/office-page.ts';
export type { PageWord } from './render/pdf.ts';
export { pdfExtensions } from './render/pdf.ts';
export type { ThumbnailTierSizes, ThumbnailTiers } from './render/thumbnails.ts';
export { findThumbnailer, thumbnailers } from './render/thumbnails.ts';
export { hideFromReaders, prepareSandbox } from './sandbox/launch.ts';
export {
  createSandboxPool,
  type SandboxPool,
  type SandboxPoolOptions,
} from './sandbox/pool.ts';
export type { ExtractOutcome, FileJob, SandboxTask, TaskFailure, TaskOutcome } from './sandbox/protocol.ts';
export { type SandboxLayer, sandboxReport } from './sandbox/report.ts';
export { readSidecarFile, type SidecarFacts, type SidecarFormat, sidecarMaxBytes } from './sidecars/read-sidecar.ts';
export * from './tasks/index.ts';
export type { SniffResult } from './tasks/sniff-task.ts';
export type { ThumbTaskOptions } from './tasks/thumb-task.ts';
