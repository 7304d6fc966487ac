export { takeFolderLock } from './folder-lock.ts';
export { hopelessCodes, lessHeaps, type Supervised, supervise, underSupervision, workerFlags } from './supervise.ts';
