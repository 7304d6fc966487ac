import { createMemory, loadKernels } from '../../engine/src/kernels/index.ts';
import { timeEach } from './timing.ts';

/** The least time in which this machine can read so many bytes, taken like the questions that stand beside it: p95 of the best of three. */
export async function readFloorMs(bytes: number): Promise<number> {
  const blocks = Math.ceil(bytes / 16);
  const memory = createMemory(blocks * 16 + 65_536);
  const kernels = loadKernels(memory);
  kernels.setRange(0, 0, blocks * 128);
  return (await timeEach(Array.from({ length: 30 }), () => kernels.popcount(0, blocks))).p95;
}
