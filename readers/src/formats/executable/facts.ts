import type { FileBytes } from '../../input/file-bytes.ts';

/** Facts every reader gives where its format states them. */
export interface ExecutableFacts {
  format: string;
  architecture?: string;
  bits?: number;
  type?: string;
  endianness?: string;
  [key: string]: unknown;
}

/** Undefined when the bytes are of another format. */
export type ExecutableReader = (file: FileBytes, head: Buffer) => ExecutableFacts | undefined;
