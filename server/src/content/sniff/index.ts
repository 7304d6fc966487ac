export { effectiveExtension as readingExtension, sniffContent } from './service.ts';
