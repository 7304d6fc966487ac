export { ensureReleaseKey, readKey } from './key.ts';
export { signFolder } from './sign-folder.ts';
