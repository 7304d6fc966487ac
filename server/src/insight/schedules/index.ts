export { reportInUse } from './report-use.ts';
export { reportSchedules } from './runs.ts';
export { schedulesOfChannel } from './store.ts';
