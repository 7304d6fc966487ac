import { compileOnce } from './compile-once.ts';
import type { Kernels } from './kernels.ts';
import { plainBitmaps } from './plain-bitmaps.ts';
import { plainColumns } from './plain-columns.ts';
import { plainPacked } from './plain-packed.ts';
import { plainRank } from './plain-rank.ts';
import { plainTerms } from './plain-terms.ts';
import { wasmBase64 } from './wasm.ts';

export const questionModule = (): WebAssembly.Module | null => compileOnce('questions', wasmBase64);

/** Memory that kernels of several threads can work on at once; it grows in place, so addresses and views stay good. */
export function createMemory(bytes: number): WebAssembly.Memory {
  return new WebAssembly.Memory({ initial: Math.ceil(bytes / 65_536), maximum: 65_536, shared: true });
}

/** The kernels over one memory. `plain` asks for the twins in TypeScript, which are also what a runtime without SIMD gets. */
export function loadKernels(memory: WebAssembly.Memory, options: { plain?: boolean } = {}): Kernels {
  const module = options.plain === true ? null : questionModule();
  if (module === null)
    return { ...plainBitmaps(memory), ...plainColumns(memory), ...plainPacked(memory), ...plainRank(memory), ...plainTerms(memory) };
  return new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Kernels;
}
