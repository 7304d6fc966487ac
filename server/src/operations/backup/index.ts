export { BundleExists, importBundle, packBundle } from './archive.ts';
export { type BackupDeps, createBackup } from './create.ts';
export { type Bundle, backupsFolder, bundleNames, checkParts, findBundleFolder, openBundle, readVerification } from './folder.ts';
export { planRestore, restoreBackup } from './restore.ts';
export { updateSchema } from './update.ts';
export { verifyBackup } from './verify.ts';
