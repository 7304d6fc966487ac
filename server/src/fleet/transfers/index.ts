export { createRemoteFiles } from './read.ts';
