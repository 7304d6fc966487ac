/**
 * One budget for everything one file unpacks. Both the bytes a container declares and the bytes that really come out are charged, because
 * headers lie; the ratio is judged only past a floor, because small texts compress a thousandfold without harm.
 */
import { ExtractError, type Limits } from '../contract.ts';

export interface DecompressionGuard {
  /** Bytes that may still come out before the guard speaks. */
  remaining(): number;
  /** Charges bytes that came out. Throws a guard error once the budget is spent. */
  charge(bytes: number): void;
  /** Refuses a size a header declares before anything is unpacked. */
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
