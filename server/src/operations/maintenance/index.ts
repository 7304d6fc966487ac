export type { MaintenanceTask } from './definition.ts';
export { maintenanceRoutes } from './routes.ts';
export { maintenanceSchedules } from './service.ts';
