export { takeFolderLock } from './folder-lock.ts';
export { hopelessCodes, nodeFlags, type Supervised, supervise, underSupervision } from './supervise.ts';
