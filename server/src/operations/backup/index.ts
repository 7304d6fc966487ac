export { BundleExists, importBundle } from './archive.ts';
export { type BackupDeps, createBackup } from './create.ts';
export { type Bundle, bundleNames, findBundleFolder, openBundle, readVerification } from './folder.ts';
export { planRestore, restoreBackup } from './restore.ts';
export { verifyBackup } from './verify.ts';
