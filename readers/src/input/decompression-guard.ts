/**
 * One decompression budget per file. Both declared sizes and actual bytes are checked, because headers can be wrong. The ratio is checked
 * only above a minimum size, because small texts compress a thousandfold without harm.
 */
import { ExtractError, type Limits } from '../contract.ts';

export interface DecompressionGuard {
  /** Bytes that may still be unpacked. */
  remaining(): number;
  /** Counts unpacked bytes. Throws a guard error once the budget is exceeded. */
  charge(bytes: number): void;
  /** Throws a guard error if a declared size exceeds the remaining budget. */
  declare(bytes: number): void;
}

export function createDecompressionGuard(packedBytes: number, limits: Limits): DecompressionGuard {
  const packed = Math.max(1, packedBytes);
  const byRatio = Math.max(limits.decompressionRatioMinBytes, packed * limits.decompressionRatio);
  const ceiling = Math.min(limits.decompressedMaxBytes, byRatio);
  let spent = 0;
  const refuse = (bytes: number): never => {
    throw new ExtractError(
      'guard',
      ceiling === byRatio && byRatio < limits.decompressedMaxBytes
        ? `The file unpacks to more than ${limits.decompressionRatio} times its size (${bytes} bytes from ${packedBytes}).`
        : `The file unpacks to ${bytes} bytes; the ceiling is ${limits.decompressedMaxBytes}.`,
    );
  };
  return {
    remaining: () => ceiling - spent,
    charge(bytes) {
      spent += bytes;
      if (spent > ceiling) refuse(spent);
    },
    declare(bytes) {
      if (bytes > ceiling - spent) refuse(spent + bytes);
    },
  };
}
