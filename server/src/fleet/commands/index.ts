export { cancelIfOpen, enqueueIn, requireWhole } from './service.ts';
export { insertForAgents } from './store.ts';
