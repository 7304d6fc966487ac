export type { Kernels } from './kernels.ts';
export { loadKernels } from './load.ts';
