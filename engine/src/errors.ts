import type { EngineErrorCode } from './types.ts';

/** The only error the engine throws deliberately. `code` is stable, the message is for people. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}

/** An error as it is sent between threads, because structured cloning loses the class. */
export interface SerializedError {
  code: EngineErrorCode | null;
  message: string;
  stack: string | undefined;
}

export function serializeError(error: unknown): SerializedError {
  if (error instanceof EngineError) return { code: error.code, message: error.message, stack: error.stack };
  const disk = diskError(error);
  if (disk) return { code: disk.code, message: disk.message, stack: disk.stack };
  return {
    code: null,
    message: error instanceof Error ? error.message : String(error),
    stack: error instanceof Error ? error.stack : undefined,
  };
}

export function deserializeError(plain: SerializedError): Error {
  const error = plain.code === null ? new Error(plain.message) : new EngineError(plain.code, plain.message);
  if (plain.stack !== undefined) error.stack = plain.stack;
  return error;
}

/** Bytes that a disk can no longer read are lost like damaged ones: a rebuild writes them anew. Other errors are returned as they are. */
export function readError(error: unknown, name: string): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EIO') return error;
  return new EngineError('corrupt', `The disk could not read ${name}: ${(error as Error).message}`, { cause: error });
}

const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE']);

/** Converts a disk failure to an engine error; returns null for other errors. */
function diskError(error: unknown): EngineError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (typeof code !== 'string' || !diskCodes.has(code)) return null;
  return new EngineError('disk', `The index could not be written or read: ${(error as Error).message}`, { cause: error });
}
