export const replicationEvents = ['created', 'modified', 'deleted', 'moved'] as const;

/** Batches are limited by entries and by bytes, whichever is reached first. */
export const replicationLimits = { entries: 1000, bytes: 8 * 1024 * 1024 } as const;

/** One change of a file, in the order in which the agent recorded it. A deletion has no facts. */
export interface ReplicationEntry {
  /** The durable key of the agent's outbox: without gaps, never used twice. */
  seq_no: number;
  event_type: (typeof replicationEvents)[number];
  /** The absolute path of the root on the agent's machine. */
  library_ref: string;
  rel_path: string;
  /** The path before a move. */
  from_rel_path?: string;
  size?: number;
  /** Nanoseconds since 1970 as text, because they exceed the exact range of a number. */
  mtime_ns?: string;
  /** Seconds since 1970, for clients that know no nanoseconds. */
  mtime?: number;
  inode?: string;
  device?: number;
  links?: number;
  ctime_ns?: string | null;
  symlink_target?: string | null;
  quick_hash?: string | null;
  content_hash?: string | null;
  /** The hashing scheme of the hashes. */
  policy_version?: string | null;
  hash_error?: string | null;
  /** Recorded before the first complete scan of the root: not a change that anybody waits for. */
  initial?: boolean;
}
