import { parentPort, workerData } from 'node:worker_threads';
import { setKoffiFolder } from '../koffi.ts';
import { createAclReader } from './attributes.ts';
import { type FolderNames, type PermissionThreadData, readAttributes } from './folder-reader.ts';

const { koffi, ...options } = workerData as PermissionThreadData;
setKoffiFolder(koffi);
const reader = createAclReader(options);

parentPort?.on('message', ({ id, folders }: { id: number; folders: FolderNames[] }) => {
  parentPort?.postMessage({ id, packed: readAttributes(folders, reader) });
});
