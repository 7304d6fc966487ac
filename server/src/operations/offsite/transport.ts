import type { Readable } from 'node:stream';

/**
 * A place for files. `put` replaces a file of the same name, and a file that was not written completely is never visible under its name.
 * Every call may be repeated after an error; `remove` of a file that is not there succeeds. Errors are sentences for an administrator.
 */
export interface Transport {
  /** Returns the number of bytes written. The source ends with an error when it cannot be read. */
  put(name: string, source: Readable, signal: AbortSignal): Promise<number>;
  remove(name: string, signal: AbortSignal): Promise<void>;
}

export interface FolderConfig {
  path: string;
}

export interface S3Config {
  endpoint: string;
  region: string;
  bucket: string;
  /** Put in front of every name; empty or ending with a slash. */
  prefix: string;
  access_key_id: string;
}

export interface SftpConfig {
  host: string;
  port: string;
  username: string;
  path: string;
  /** Fingerprints of the server's host keys, separated by spaces. */
  host_keys: string;
  /** The line for authorized_keys, when the service signs in with a key of its own. */
  public_key?: string;
}

export type TargetPlace =
  | { kind: 'folder'; config: FolderConfig }
  | { kind: 's3'; config: S3Config }
  | { kind: 'sftp'; config: SftpConfig };
