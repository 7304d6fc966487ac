export { openPlan } from './service.ts';
export { planSource } from './source.ts';
