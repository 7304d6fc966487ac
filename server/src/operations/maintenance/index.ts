export type { MaintenanceTask } from './definition.ts';
export { maintenanceRoutes } from './http.ts';
export { maintenanceSchedules } from './service.ts';
