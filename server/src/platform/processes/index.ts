export { acquireFolderLock } from './folder-lock.ts';
export { fatalExitCodes, mallocEnv, type SupervisedProcess, supervise, connectToSupervisor, workerNodeFlags } from './supervise.ts';
