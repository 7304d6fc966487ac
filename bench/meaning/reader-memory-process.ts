/**
 * Opens an index, searches it once, and reports by how many bytes the memory of this process grew. Arguments: the index folder, and the
 * dimension of its vectors (0 for none).
 */
import { openReader } from '../../engine/src/index.ts';

const [, , directory = '', dimension = '0'] = process.argv;
const before = process.memoryUsage.rss();
const reader = await openReader(directory, { threads: 1 });
const near = new Float32Array(Number(dimension)).fill(1);
await reader.search({ limit: 10, ...(near.length > 0 ? { vector: { near, ratio: 1 } } : {}) });
process.send?.({ grown: process.memoryUsage.rss() - before });
await reader.close();
process.disconnect();
