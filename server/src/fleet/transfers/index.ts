export { createRemoteCopies } from './copy.ts';
export { createRemoteFiles } from './read.ts';
