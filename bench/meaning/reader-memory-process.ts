/** Opens an index, searches it once by vector, and reports by how many bytes the memory of this process grew. Argument: the index folder. */
import { openReader } from '../../engine/src/index.ts';

const [, , directory = ''] = process.argv;
const near = new Float32Array(384).fill(1);
const before = process.memoryUsage.rss();
const reader = await openReader(directory, { threads: 1 });
await reader.search({ vector: { near, ratio: 1 }, limit: 10 });
process.send?.({ grown: process.memoryUsage.rss() - before });
await reader.close();
process.disconnect();
