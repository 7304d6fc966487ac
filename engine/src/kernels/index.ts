import type { Kernels } from './kernels.ts';
import { referenceBitmaps } from './reference/bitmaps.ts';
import { referenceColumns } from './reference/columns.ts';
import { referencePostings } from './reference/postings.ts';
import { referenceRank } from './reference/rank.ts';
import { referenceSubsets } from './reference/subsets.ts';
import { referenceTerms } from './reference/terms.ts';
import { wasmBase64 } from './wasm.ts';

export type { Kernels } from './kernels.ts';

let compiled: WebAssembly.Module | null | undefined;

/** Returns the module, compiled once per thread, or null when the processor or runtime has no SIMD. */
function simdModule(): WebAssembly.Module | null {
  if (compiled === undefined) {
    const bytes = Buffer.from(wasmBase64, 'base64');
    compiled = WebAssembly.validate(bytes) ? new WebAssembly.Module(bytes) : null;
  }
  return compiled;
}

/** Creates memory that the kernels of several threads can share. It grows in place, so addresses and views stay valid. */
export function createMemory(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536), maximum: 65_536, shared: true });
}

/** Binds the kernels to a memory. `reference` selects the reference implementations in TypeScript, which are also used without SIMD. */
export function loadKernels(memory: WebAssembly.Memory, options: { reference?: boolean } = {}): Kernels {
  const module = options.reference === true ? null : simdModule();
  if (module === null)
    return {
      ...referenceBitmaps(memory),
      ...referenceColumns(memory),
      ...referencePostings(memory),
      ...referenceRank(memory),
      ...referenceTerms(memory),
      ...referenceSubsets(memory),
    };
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels;
}
