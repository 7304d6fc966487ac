/**
 * What parent and child say to each other. A task is a module the child imports when it is first asked for; its default export reads one
 * file and gives a value that can be copied (plain data and buffers). The extract task is always there; thumbnails, recognition of
 * printed text and sniffing hand in theirs.
 */
import type { Extracted, ExtractErrorKind, Limits, Source } from '../contract.ts';
import type { Provenance } from '../input/provenance.ts';

/** A file to read. `limits` already has the library's overrides in it. */
export interface FileJob {
  path: string;
  filename: string;
  extension: string;
  size: number;
  limits: Limits;
}

/** Throws an ExtractError to say why a file cannot be read; whatever else it throws counts as corrupt. */
export type SandboxTask<Options = unknown, Result = unknown> = (source: Source, options: Options) => Promise<Result>;

export interface TaskFailure {
  ok: false;
  kind: ExtractErrorKind;
  message: string;
  /** The file could not be opened at all (gone, not allowed, disk error): nothing is known about its bytes. */
  unreadable?: true;
  /** The caller or the closing pool stopped the reading; nothing is to be stored about the file. */
  stopped?: true;
}

export type TaskOutcome<Result> = { ok: true; result: Result } | TaskFailure;

export type ExtractOutcome =
  | { ok: true; unsupported?: false; extracted: Extracted; extractor: string; version: number; provenance?: Provenance }
  | { ok: true; unsupported: true; provenance?: Provenance }
  | TaskFailure;

/** What the extract task answers inside the child. */
export type ExtractResult =
  | { unsupported: true; provenance?: Provenance }
  | { unsupported?: false; extracted: Extracted; extractor: string; version: number; provenance?: Provenance };

export interface ExtractTaskOptions {
  /** Read where the file was downloaded from, too. */
  provenance: boolean;
}

/** Files are read one at a time in the order they are told; one told of too early may be taken back before it is begun. */
export type ToChild =
  | { type: 'read'; id: number; task: string; module: string; job: FileJob; options: unknown }
  | { type: 'forget'; id: number };

export type FromChild =
  | { type: 'ready' }
  | { type: 'done'; id: number; result: unknown; memoryBytes: number }
  | { type: 'failed'; id: number; kind: ExtractErrorKind; message: string; unreadable?: true; memoryBytes: number }
  | { type: 'group'; pid: number; alive: boolean };
