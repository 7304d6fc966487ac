import type { Kernels } from './kernels.ts';
import { plainBitmaps } from './reference/bitmaps.ts';
import { plainColumns } from './reference/columns.ts';
import { plainPacked } from './reference/postings.ts';
import { plainRank } from './reference/rank.ts';
import { plainTerms } from './reference/terms.ts';
import { wasmBase64 } from './wasm.ts';

export type { Kernels } from './kernels.ts';

let compiled: WebAssembly.Module | null | undefined;

/** The module, compiled once a thread; null where the processor or the runtime knows no SIMD. */
function simdModule(): WebAssembly.Module | null {
  if (compiled === undefined) {
    const bytes = Buffer.from(wasmBase64, 'base64');
    compiled = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  }
  return compiled;
}

/** Memory that kernels of several threads can work on at once; it grows in place, so addresses and views stay good. */
export function createMemory(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536), maximum: 65_536, shared: true });
}

/** The kernels over one memory. `plain` asks for the twins in TypeScript, which are also what a runtime without SIMD gets. */
export function loadKernels(memory: WebAssembly.Memory, options: { plain?: boolean } = {}): Kernels {
  const module = options.plain === true ? null : simdModule();
  if (module === null)
    return { ...plainBitmaps(memory), ...plainColumns(memory), ...plainPacked(memory), ...plainRank(memory), ...plainTerms(memory) };
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels;
}
