import { createMetrics } from './registry.ts';

export type { MetricName } from './definitions.ts';
export { createMetrics, formatMetrics, type Sample } from './registry.ts';
export { startMetricsReport } from './report.ts';

/** The metrics of this process. */
export const metrics = createMetrics();
