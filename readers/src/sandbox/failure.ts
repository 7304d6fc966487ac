/** Turns any thrown value into a failure that is safe to show: its kind and one short sentence, without host paths or secrets. */
import { ExtractError, type ExtractErrorKind } from '../contract.ts';
import type { TaskFailure } from './protocol.ts';

const maxMessageChars = 300;

export function describeFailure(error: unknown, path: string): TaskFailure {
  if (error instanceof ExtractError) return failure(error.kind, redactMessage(error.message, path));
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const message = error instanceof Error ? error.message : String(error);
  if (isOutOfMemory(error, message, code)) return failure('guard', 'Reading the file needs more memory than a reader process may use.');
  if (isMissingModule(message, code)) return failure('dependency', 'A module this file needs is not installed.');
  const openError = typeof code === 'string' ? openErrors[code] : undefined;
  if (openError !== undefined) return { ...failure('corrupt', openError), unreadable: true };
  const detail = redactMessage(message, path);
  return failure('corrupt', detail === '' ? 'The file is damaged.' : `The file is damaged: ${detail}`);
}

const noAnswer = 'The disk or network share does not answer.';

const openErrors: Record<string, string> = {
  ENOENT: 'The file is no longer there.',
  ENOTDIR: 'The file is no longer there.',
  EACCES: 'The file may not be read: permission is missing.',
  EPERM: 'The file may not be read: permission is missing.',
  EIO: 'The disk reports an error for this file.',
  ESTALE: 'The network share no longer knows this file.',
  ENODEV: noAnswer,
  ENOTCONN: noAnswer,
  EHOSTDOWN: noAnswer,
  EHOSTUNREACH: noAnswer,
  ETIMEDOUT: noAnswer,
  ELOOP: 'The link leads in a circle.',
  ENXIO: 'This is not a regular file.',
  EISDIR: 'This is not a regular file.',
};

function failure(kind: ExtractErrorKind, message: string): TaskFailure {
  return { ok: false, kind, message };
}

function isMissingModule(message: string, code?: string): boolean {
  if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || code === 'ERR_DLOPEN_FAILED') return true;
  return /^(Cannot find (module|package)|Could not load the "sharp" module)/.test(message);
}

export function isOutOfMemory(error: unknown, message: string, code?: string): boolean {
  if (code === 'ERR_MEMORY_ALLOCATION_FAILED' || code === 'ENOMEM' || code === 'ERR_STRING_TOO_LONG') return true;
  if (error instanceof RangeError && /allocation failed|Invalid (array|typed array|string) length|could not allocate/i.test(message))
    return true;
  return /out of memory|cannot (allocate|enlarge) memory|bad_alloc|failed to allocate/i.test(message);
}

/** Removes the file's path, every other absolute path, URLs with credentials and control characters from a message. */
export function redactMessage(message: string, path: string): string {
  return message
    .slice(0, 4000)
    .split(path)
    .join('the file')
    .replace(/file:\/\/\S+/g, '…')
    .replace(/[a-z][a-z0-9+.-]*:\/\/\S*@\S+/gi, '…')
    .replace(/(^|[\s"'(=:,[])\/[^\s"'(),:;\]]+/g, '$1…')
    .replace(/[\u0000-\u001f\u007f]+/g, ' ')
    .toWellFormed()
    .trim()
    .slice(0, maxMessageChars);
}
