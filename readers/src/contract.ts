/**
 * What every extractor promises. An extractor runs inside a sandboxed child process (never in a worker or app process), reads one file,
 * and gives facts. It may be run again at any time on the same bytes and must give the same facts; it never writes, never follows names
 * found inside the file, and holds to the limits it is handed: input bytes, decompressed bytes, ratio, members, nesting, text length.
 */
export interface Limits {
  /** Wall clock for the whole file, in seconds (the parent kills the child past it). */
  timeoutSeconds: number;
  ffprobeTimeoutSeconds: number;
  ffprobeDeepHdr: boolean;
  exifTimeoutSeconds: number;
  documentMaxBytes: number;
  decompressedMaxBytes: number;
  decompressionRatio: number;
  /** Below this many decompressed bytes the ratio is not judged. */
  decompressionRatioMinBytes: number;
  model3dMaxBytes: number;
  model3dAccurateMaxBytes: number;
  emailMaxBytes: number;
  mboxMaxMessages: number;
  archiveMaxMembers: number;
  /** Characters of body text kept. */
  bodyTextMaxChars: number;
}

export const defaultLimits: Limits = {
  timeoutSeconds: 300,
  ffprobeTimeoutSeconds: 30,
  ffprobeDeepHdr: true,
  exifTimeoutSeconds: 30,
  documentMaxBytes: 268_435_456,
  decompressedMaxBytes: 1_073_741_824,
  decompressionRatio: 100,
  decompressionRatioMinBytes: 10_485_760,
  model3dMaxBytes: 536_870_912,
  model3dAccurateMaxBytes: 0,
  emailMaxBytes: 268_435_456,
  mboxMaxMessages: 5000,
  archiveMaxMembers: 10_000,
  bodyTextMaxChars: 100_000,
};

/** guard: a ceiling was hit; corrupt: the bytes defeated the parser; dependency: a tool or module is missing; timeout: the clock ran out. */
export type ExtractErrorKind = 'guard' | 'corrupt' | 'dependency' | 'timeout';

/** Thrown inside extractors. The message names no path of the host and no secret; it is shown to people as it is. */
export class ExtractError extends Error {
  readonly kind: ExtractErrorKind;
  constructor(kind: ExtractErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface Source {
  /** Absolute path; open it read-only. Never put it into a result or an error. */
  path: string;
  /** Base name as people see it (used for titles, season and episode). */
  filename: string;
  /** Lower-case extension without the dot; '' when there is none. Compound ones come whole (`tar.gz`). */
  extension: string;
  size: number;
  limits: Limits;
}

export interface Extracted {
  /** Keys as in the manual's list (width, pages, duration, archive{…}, exif{…}); plain JSON values only. */
  metadata: Record<string, unknown>;
  title?: string;
  year?: number;
  bodyText?: string;
  bodyTextTruncated?: boolean;
  /** Names of archive members, newline separated, for search. */
  archiveMembers?: string;
}

export interface Extractor {
  name: string;
  /** Raised when its output changes: files are read again. */
  version: number;
  extensions: readonly string[];
  /** External tools it uses when present, and what is lost without each. */
  tools: readonly { name: string; lost: string }[];
  /** Every metadata key it may yield. */
  keys: readonly string[];
  read(source: Source): Promise<Extracted>;
}

export type ThumbTier = 'grid' | 'preview';

/** A thumbnailer decodes once and gives raw pixels or an encoded image that the shared last step scales to both tiers as WebP. */
export interface Thumbnailer {
  name: string;
  version: number;
  extensions: readonly string[];
  tools: readonly { name: string; lost: string }[];
  /** Gives an encoded image (any format sharp reads) or raw RGBA; null when the file has nothing to show. */
  render(source: Source, longestEdge: number): Promise<{ data: Buffer; raw?: { width: number; height: number; channels: 3 | 4 } } | null>;
}
