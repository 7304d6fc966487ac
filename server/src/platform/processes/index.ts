export { takeFolderLock } from './folder-lock.ts';
export { hopelessCodes, type Supervised, supervise, underSupervision, workerFlags } from './supervise.ts';
