/** lost: the connection or the server is gone, so the statement may be repeated. full: a disk is full, so nothing was written. */
export type DatabaseFailure = 'lost' | 'full';

/** A row is referred to by another one and cannot be deleted, or refers to one that does not exist. */
export const isReferenceError = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '23503';

const lostMessages =
  /^(Connection terminated|Connection ended|Client has encountered a connection error|Client was closed|timeout exceeded when trying to connect|Query read timeout)/;
const connectCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH']);

/** What kind of failure of the database or its disk an error is; null for any other error. */
export function databaseFailure(error: unknown): DatabaseFailure | null {
  if (!(error instanceof Error)) return null;
  const { code, syscall } = error as { code?: unknown; syscall?: unknown };
  if (code === '53100' || code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device/.test(error.message)) return 'full';
  // Connection exceptions, too many connections, and shutdown, crash or start of the server.
  if (typeof code === 'string' && /^(08...|53300|57P0[1-5])$/.test(code)) return 'lost';
  if (connectCodes.has(String(code)) || lostMessages.test(error.message)) return 'lost';
  // The socket file of the embedded server is missing while it restarts.
  return syscall === 'connect' && 'address' in error && /\.s\.PGSQL\.\d+$/.test(String(error.address)) ? 'lost' : null;
}
