/**
 * The contract of extractors. An extractor runs inside a sandboxed child process, never in the server's own processes, and returns facts
 * about one file. The same bytes must always yield the same facts. It never writes, never opens names found inside the file, and respects
 * the limits passed to it: input bytes, decompressed bytes and ratio, members, nesting and text length.
 */
export interface Limits {
  /** Time limit for the whole file, after which the parent kills the child. */
  timeoutSeconds: number;
  ffprobeTimeoutSeconds: number;
  ffprobeDeepHdr: boolean;
  exifTimeoutSeconds: number;
  documentMaxBytes: number;
  decompressedMaxBytes: number;
  decompressionRatio: number;
  /** The ratio is not checked below this many decompressed bytes. */
  decompressionRatioMinBytes: number;
  model3dMaxBytes: number;
  model3dAccurateMaxBytes: number;
  emailMaxBytes: number;
  mboxMaxMessages: number;
  archiveMaxMembers: number;
  /** Body text is cut to this many characters. */
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
  bodyTextMaxChars: 5_000_000,
};

/** guard: a limit was exceeded; corrupt: the file cannot be parsed; dependency: a tool or module is missing; timeout: time ran out. */
export type ExtractErrorKind = 'guard' | 'corrupt' | 'dependency' | 'timeout';

/** Thrown by extractors. The message is shown to users unchanged, so it must not contain host paths or secrets. */
export class ExtractError extends Error {
  readonly kind: ExtractErrorKind;
  constructor(kind: ExtractErrorKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Thrown when nothing can be read without a password. It is no failure: the file gets the fact `encrypted: true`, like every such file. */
export class EncryptedError extends ExtractError {
  constructor() {
    super('corrupt', 'The file is protected by a password.');
  }
}

export interface Source {
  /** Absolute path; open it read-only. It must not appear in a result or an error. */
  path: string;
  /** Base name, from which titles, seasons and episodes are guessed. */
  filename: string;
  /** Lower-case extension without the dot, possibly compound (`tar.gz`); '' when there is none. */
  extension: string;
  size: number;
  limits: Limits;
}

/** A file inside another one, such as an attachment of a message. */
export interface EmbeddedFile {
  filename: string;
  content: Buffer;
}

export interface Extracted {
  /** Keys listed in the manual (width, pages, duration, archive{…}, exif{…}) with plain JSON values. */
  metadata: Record<string, unknown>;
  title?: string;
  year?: number;
  bodyText?: string;
  bodyTextTruncated?: boolean;
  /** Names of archive members, separated by newlines, for search. */
  archiveMembers?: string;
  /** Files whose text belongs to this one. The extract task reads them and adds their text. */
  embedded?: readonly EmbeddedFile[];
}

export interface Extractor {
  name: string;
  /** Increase it when the output changes, so that files are extracted again. */
  version: number;
  /** Whether it may return text. Names of archive members are no text. */
  text: boolean;
  extensions: readonly string[];
  /** Whether facts come from the name of the file, too, so that equal bytes under another name have other facts. */
  usesName?: true;
  /** Optional external tools, and what is lost without each. */
  tools: readonly { name: string; lost: string }[];
  /** Every metadata key it may return. */
  keys: readonly string[];
  read(source: Source): Promise<Extracted>;
}

export type ThumbTier = 'grid' | 'preview';

/** Draws a picture of a file. Both thumbnail tiers are scaled from one decoded picture and encoded as WebP. */
export interface Thumbnailer {
  name: string;
  version: number;
  extensions: readonly string[];
  tools: readonly { name: string; lost: string }[];
  /** Returns raw pixels or an encoded image in any format sharp reads; null when the file has no picture. */
  render(source: Source, longestEdge: number): Promise<{ data: Buffer; raw?: { width: number; height: number; channels: 3 | 4 } } | null>;
}
