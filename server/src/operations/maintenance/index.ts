export { maintenanceSchedules } from './service.ts';
