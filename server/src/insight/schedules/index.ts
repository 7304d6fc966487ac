export { reportSchedules } from './runs.ts';
