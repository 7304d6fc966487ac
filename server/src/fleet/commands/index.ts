export { cancelIfOpen, enqueueIn } from './service.ts';
