import { wasmBase64 } from './words-wasm.ts';

/** Splits ASCII text into words and numbers them (`words.as.ts`). The reference implementation is `segment/reference-term-table.ts`. */
export interface WordKernels {
  /** Starts with an empty, zeroed table of `size` slots of 32 bytes, a power of two; the bytes of long words are stored from `keep` on. */
  useTable(at: number, size: number, keep: number): void;
  /** Moves the words to a larger, zeroed table. */
  moveTable(to: number, size: number): void;
  wordCount(): number;
  /** The address of the next long word's bytes; `keepAt` changes it. */
  keptEnd(): number;
  keepAt(at: number): void;
  /** Returns the number of a UTF-8 word, from 1, adding it when it is new. */
  numberOf(at: number, length: number): number;
  /** Writes the entries of a text of UTF-16 code units, u32 each, and returns how many, or -1 when it is not ASCII. */
  addText(units: number, length: number, work: number, out: number): number;
}

let compiled: WebAssembly.Module | null | undefined;

/** Binds the kernels to an unshared memory; returns null when the processor or runtime has no SIMD. */
export function loadWords(memory: WebAssembly.Memory): WordKernels | null {
  if (compiled === undefined) {
    const bytes = Buffer.from(wasmBase64, 'base64');
    compiled = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  }
  return compiled && (new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as WordKernels);
}
