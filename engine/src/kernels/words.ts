import { wasmBase64 } from './words-wasm.ts';

/** The words of plain text, cut and numbered in one go (`words.as.ts`). The plain twin is `segment/plain-term-table.ts`. */
export interface WordKernels {
  /** Begins with an empty table of `size` slots of 32 bytes, a power of two, all zero; the bytes of long words are kept from `keep` on. */
  useTable(at: number, size: number, keep: number): void;
  /** Moves the words to a larger table, all zero. */
  moveTable(to: number, size: number): void;
  wordCount(): number;
  /** Where the bytes of the next long word go; `keepAt` says that they go elsewhere. */
  keptEnd(): number;
  keepAt(at: number): void;
  /** The number of a word in UTF-8, from 1; a new one gets the next number. */
  numberOf(at: number, length: number): number;
  /** Writes the entries of a text of UTF-16 units, u32 each; answers how many, or -1 when it is not plain ASCII. */
  addText(units: number, length: number, work: number, out: number): number;
}

let compiled: WebAssembly.Module | null | undefined;

/** The kernels over a memory, which is not shared; null where the processor or the runtime knows no SIMD. */
export function loadWords(memory: WebAssembly.Memory): WordKernels | null {
  if (compiled === undefined) {
    const bytes = Buffer.from(wasmBase64, 'base64');
    compiled = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  }
  return compiled && (new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as WordKernels);
}
