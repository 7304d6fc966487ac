import { itemMaintenance } from '../catalog/items/tasks.ts';
import { permissionMaintenance } from '../catalog/permissions/tasks.ts';
import { scanMaintenance } from '../catalog/scan/tasks.ts';
import { sidecarMaintenance } from '../catalog/sidecars/tasks.ts';
import { taxonomyMaintenance } from '../catalog/taxonomy/upkeep.ts';
import { embeddingMaintenance } from '../content/embeddings/tasks.ts';
import { passageMaintenance } from '../content/passages/tasks.ts';
import { queueExtraction } from '../content/pipeline/index.ts';
import { extractMaintenance } from '../content/pipeline/tasks.ts';
import { sniffMaintenance } from '../content/sniff/tasks.ts';
import { thumbMaintenance } from '../content/thumbs/tasks.ts';
import { agentMaintenance } from '../fleet/agents/tasks.ts';
import { commandMaintenance } from '../fleet/commands/tasks.ts';
import { configMaintenance } from '../fleet/config/tasks.ts';
import { monitorMaintenance } from '../fleet/monitor/tasks.ts';
import { reconcileMaintenance } from '../fleet/reconcile/tasks.ts';
import { releaseMaintenance } from '../fleet/releases/tasks.ts';
import { replicationMaintenance } from '../fleet/replication/tasks.ts';
import { transferMaintenance } from '../fleet/transfers/tasks.ts';
import { alertMaintenance } from '../insight/alerts/tasks.ts';
import { duplicateMaintenance } from '../insight/copies/tasks.ts';
import { similarMaintenance } from '../insight/duplicates/tasks.ts';
import { exportMaintenance } from '../insight/exports/tasks.ts';
import { integrityMaintenance } from '../insight/integrity/tasks.ts';
import { reportMaintenance } from '../insight/reports/tasks.ts';
import { scheduleMaintenance } from '../insight/schedules/tasks.ts';
import { backupMaintenance } from '../operations/backup/tasks.ts';
import { diskMaintenance } from '../operations/disk/tasks.ts';
import { jobMaintenance } from '../operations/jobs/tasks.ts';
import { logMaintenance } from '../operations/logs/tasks.ts';
import { offsiteMaintenance } from '../operations/offsite/tasks.ts';
import { auditMaintenance } from '../people/audit/tasks.ts';
import { directoryMaintenance } from '../people/directory/tasks.ts';
import { identityMaintenance } from '../people/identity/tasks.ts';
import { providerMaintenance } from '../people/providers/tasks.ts';
import type { Dependencies } from '../platform/dependencies.ts';
import type { MaintenanceTask } from '../platform/maintenance-task.ts';
import { passageIndexMaintenance } from '../search/passages/tasks.ts';
import { indexMaintenance } from '../search/projection/tasks.ts';
import { queryMaintenance } from '../search/query/tasks.ts';

/** Every maintenance task with its default schedule (UTC). */
export function maintenanceTasks(deps: Pick<Dependencies, 'database' | 'settings'>): MaintenanceTask[] {
  return [
    ...itemMaintenance(deps),
    ...scanMaintenance(deps, {
      queueExtraction: async (db, libraryId, ids) => {
        await queueExtraction(db, libraryId, ids);
      },
    }),
    ...taxonomyMaintenance,
    ...sidecarMaintenance,
    ...permissionMaintenance(deps),
    ...jobMaintenance(deps),
    ...auditMaintenance,
    ...logMaintenance(deps),
    ...identityMaintenance(deps),
    ...providerMaintenance(deps),
    ...directoryMaintenance(deps),
    ...thumbMaintenance(deps),
    ...extractMaintenance(deps),
    ...passageMaintenance(deps),
    ...sniffMaintenance(deps),
    ...embeddingMaintenance(deps),
    ...diskMaintenance(deps),
    ...backupMaintenance(deps),
    ...offsiteMaintenance(deps),
    ...indexMaintenance(deps),
    ...passageIndexMaintenance(deps),
    ...queryMaintenance,
    ...duplicateMaintenance,
    ...similarMaintenance(),
    ...exportMaintenance(deps),
    ...integrityMaintenance(deps),
    ...scheduleMaintenance,
    ...reportMaintenance,
    ...alertMaintenance(deps),
    ...agentMaintenance,
    ...replicationMaintenance,
    ...commandMaintenance,
    ...reconcileMaintenance,
    ...transferMaintenance(deps),
    ...monitorMaintenance(deps),
    ...configMaintenance(deps),
    ...releaseMaintenance(deps),
  ];
}
