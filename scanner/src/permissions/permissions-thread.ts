import { parentPort, workerData } from 'node:worker_threads';
import { createAclReader } from './attributes.ts';
import { type FolderNames, readAttributes } from './folder-reader.ts';

const reader = createAclReader(workerData as { unlisted?: string | null });

parentPort?.on('message', ({ id, folders }: { id: number; folders: FolderNames[] }) => {
  parentPort?.postMessage({ id, packed: readAttributes(folders, reader) });
});
