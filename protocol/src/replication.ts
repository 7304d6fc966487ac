export const replicationEvents = ['created', 'modified', 'deleted', 'moved', 'folder'] as const;

/** Batches are limited by entries and by bytes, whichever is reached first. */
export const replicationLimits = { entries: 1000, bytes: 8 * 1024 * 1024 } as const;

/** What was read from the bytes of a file, in the words of the manual's page of file formats. */
export interface ReplicatedExtraction {
  schema: 1;
  /** Name and version of the reader; `none` when no reader knows the type. */
  extractor: string;
  meta: Record<string, unknown>;
  title?: string;
  year?: number;
  body_text?: string;
  body_text_truncated?: boolean;
  /** Names of archive members, separated by newlines. */
  archive_members?: string;
}

/** Who may use a file or folder, as its file system stores it. Numbers are those of the agent's machine. What is null is left out. */
export interface ReplicatedAcl {
  uid: number;
  gid: number;
  mode: number;
  fidelity: string;
  access?: unknown;
  default?: unknown;
  nfs?: unknown;
  nt?: unknown;
}

/** Accounts that exist on the machine itself: [number, name, main group, full name] and [number, name, names of members]. */
export interface ReplicatedAccounts {
  users: [number, string, number, string][];
  groups: [number, string, string[]][];
}

/** More accounts of a machine than this are not reported. */
export const maxReplicatedAccounts = 5000;

/**
 * One change of a file, in the order in which the agent recorded it. A deletion has no facts. `folder` is about a folder and has only `acl`,
 * and for the root, whose path is empty, `above` and `accounts`.
 */
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
  /** Bytes on disk, where they are fewer than the size, as for sparse files. */
  allocated?: number;
  ctime_ns?: string | null;
  symlink_target?: string | null;
  quick_hash?: string | null;
  content_hash?: string | null;
  /** The hashing scheme of the hashes. */
  policy_version?: string | null;
  hash_error?: string | null;
  /** Recorded before the first complete scan of the root: not a change that anybody waits for. */
  initial?: boolean;
  /** What was read from these bytes. Null: nothing will be read, and what was read from earlier bytes is void. Absent: nothing new is known. */
  extracted?: ReplicatedExtraction | null;
  /** Null: it is not recorded any more, or the folder is gone. Absent: nothing is said about it. */
  acl?: ReplicatedAcl | null;
  /** The folders above the root that do not let everybody pass. */
  above?: ReplicatedAcl[];
  accounts?: ReplicatedAccounts;
}
