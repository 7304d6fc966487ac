export { readingExtension, sniffContent } from './service.ts';
