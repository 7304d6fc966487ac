export type { Kernels } from './kernels.ts';
export { createMemory, loadKernels } from './load.ts';
