export type { Extracted, ExtractErrorKind, Extractor, Limits, Source, Thumbnailer, ThumbTier } from './contract.ts';
export { defaultLimits, ExtractError } from './contract.ts';
export { type Provenance, readProvenance } from './reading/provenance.ts';
export { extractors, findExtractor } from './registry.ts';
export { prepareLaunch } from './sandbox/launch.ts';
export { createExtractPool, type ExtractPool, type ExtractPoolOptions } from './sandbox/pool.ts';
export type { ExtractOutcome, FileJob, SandboxTask, TaskFailure, TaskOutcome } from './sandbox/protocol.ts';

// What the renderers of thumbnails read files with; they run in the same children.
export { openComicArchive, pagesInOrder } from './formats/comic/comic-archive.ts';
export { openFont, openFontBytes } from './formats/font/open-font.ts';
export type { FontTables } from './formats/font/sfnt.ts';
export { jxlReachesItsPicture } from './formats/image/jxl.ts';
export { meshExtensions, readMesh } from './formats/mesh/read-mesh.ts';
export { type FileBytes, readWholeFile, withFileBytes } from './reading/file-bytes.ts';
export { findTool, locateTool, runTool } from './reading/tool.ts';
export { readXml } from './reading/xml.ts';
export { openZip, type Zip } from './reading/zip.ts';
