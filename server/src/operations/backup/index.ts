export { importBundle, packBundle } from './archive.ts';
export { createBackup } from './create.ts';
export { type Bundle, backupsFolder, bundleNames, checkParts, findBundleFolder, openBundle, readVerification } from './folder.ts';
export { planRestore, restoreBackup } from './restore.ts';
export { updateSchema } from './update.ts';
