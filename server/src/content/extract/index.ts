export type { Extracted, ExtractErrorKind, Extractor, Limits, Source, Thumbnailer, ThumbTier } from './contract.ts';
export { defaultLimits, ExtractError } from './contract.ts';
export { extractors, findExtractor } from './registry.ts';
export { createExtractPool, type ExtractPool, type ExtractPoolOptions } from './sandbox/pool.ts';
export type { ExtractOutcome, FileJob, SandboxTask, TaskFailure, TaskOutcome } from './sandbox/protocol.ts';
