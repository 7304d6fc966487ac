/**
 * The messages between the pool and its child processes. A task is a module that the child imports on first use; its default export
 * reads one file and returns a value that can be cloned (plain data and buffers). The extract task is always available; other tasks are
 * passed to the pool.
 */
import type { ExtractErrorKind, Extracted, Source } from '../contract.ts';
import type { Provenance } from '../input/provenance.ts';

/** A file to read. `limits` already includes the library's overrides. */
export interface FileJob extends Source {
  /** The library's folder: all that the process reading the file can see of the disk. The file's own folder when it is missing. */
  root?: string;
}

/** Throws an ExtractError to report why a file cannot be read; any other exception counts as corrupt. */
export type SandboxTask<Options = unknown, Result = unknown> = (source: Source, options: Options) => Promise<Result>;

export interface TaskFailure {
  ok: false;
  kind: ExtractErrorKind;
  message: string;
  /** The file could not be opened (missing, no permission, disk error), so nothing is known about its contents. */
  unreadable?: true;
  /** The caller or the closing pool stopped the task; the caller must not store anything about the file. */
  stopped?: true;
}

export type TaskOutcome<Result> = { ok: true; result: Result } | TaskFailure;

export type ExtractOutcome =
  | { ok: true; unsupported?: false; extracted: Extracted; extractor: string; version: number; provenance?: Provenance }
  | { ok: true; unsupported: true; provenance?: Provenance }
  | TaskFailure;

/** The result of the extract task inside the child. */
export type ExtractResult =
  | { unsupported: true; provenance?: Provenance }
  | { unsupported?: false; extracted: Extracted; extractor: string; version: number; provenance?: Provenance };

export interface ExtractTaskOptions {
  /** Whether to read the download origin too. */
  provenance: boolean;
}

/** The child runs requests one at a time, in the order they arrive. A cancelled request that has not started is skipped. */
export type ToChild =
  | { type: 'run'; id: number; task: string; module: string; job: FileJob; options: unknown }
  | { type: 'cancel'; id: number };

export type FromChild =
  | { type: 'ready' }
  | { type: 'done'; id: number; result: unknown; memoryBytes: number }
  | { type: 'failed'; id: number; kind: ExtractErrorKind; message: string; unreadable?: true; memoryBytes: number }
  | { type: 'tool'; pid: number; alive: boolean };
