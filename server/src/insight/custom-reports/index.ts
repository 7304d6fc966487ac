export { buildQuery as itemQuery } from './build.ts';
export { columnError } from './columns.ts';
export { openDefinition, openList } from './run.ts';
export { inputOf, readableReport, scheduledReport } from './service.ts';
