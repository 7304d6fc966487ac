import type { EngineErrorCode } from './types.ts';

/** The only error the engine throws on purpose; `code` is stable, the message is for people. */
export class EngineError extends Error {
  readonly code: EngineErrorCode;

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EngineError';
    this.code = code;
  }
}

/** What crosses a thread border: class instances do not survive the clone. */
export interface PlainError {
  code: EngineErrorCode | null;
  message: string;
  stack: string | undefined;
}

export function toPlainError(error: unknown): PlainError {
  if (error instanceof EngineError) return { code: error.code, message: error.message, stack: error.stack };
  const disk = diskError(error);
  if (disk) return { code: disk.code, message: disk.message, stack: disk.stack };
  return {
    code: null,
    message: error instanceof Error ? error.message : String(error),
    stack: error instanceof Error ? error.stack : undefined,
  };
}

export function fromPlainError(plain: PlainError): Error {
  const error = plain.code === null ? new Error(plain.message) : new EngineError(plain.code, plain.message);
  if (plain.stack !== undefined) error.stack = plain.stack;
  return error;
}

const diskCodes = new Set(['ENOSPC', 'EDQUOT', 'EIO', 'EROFS', 'EFBIG', 'EACCES', 'EPERM', 'EMFILE', 'ENFILE']);

/** A failure of the disk itself, as an engine error; null for anything else. */
export function diskError(error: unknown): EngineError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (typeof code !== 'string' || !diskCodes.has(code)) return null;
  return new EngineError('disk', `The disk refused the index: ${(error as Error).message}`, { cause: error });
}
