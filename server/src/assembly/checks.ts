import { itemChecks } from '../catalog/items/checks.ts';
import { permissionChecks } from '../catalog/permissions/checks.ts';
import { scanChecks } from '../catalog/scan/checks.ts';
import { embeddingChecks } from '../content/embeddings/checks.ts';
import { passageChecks } from '../content/passages/checks.ts';
import { sandboxChecks } from '../content/sandbox/checks.ts';
import { agentChecks } from '../fleet/agents/checks.ts';
import { commandChecks } from '../fleet/commands/checks.ts';
import { configChecks } from '../fleet/config/checks.ts';
import { reconcileChecks } from '../fleet/reconcile/checks.ts';
import { releaseChecks } from '../fleet/releases/checks.ts';
import { replicationChecks } from '../fleet/replication/checks.ts';
import { transferChecks } from '../fleet/transfers/checks.ts';
import { alertChecks } from '../insight/alerts/checks.ts';
import { duplicateChecks } from '../insight/copies/checks.ts';
import { planChecks } from '../insight/duplicates/checks.ts';
import { integrityChecks } from '../insight/integrity/checks.ts';
import { reportChecks } from '../insight/reports/checks.ts';
import { scheduleChecks } from '../insight/schedules/checks.ts';
import { backupChecks } from '../operations/backup/checks.ts';
import { offsiteChecks } from '../operations/offsite/checks.ts';
import { directoryChecks } from '../people/directory/checks.ts';
import { identityChecks } from '../people/identity/checks.ts';
import { providerChecks } from '../people/providers/checks.ts';
import type { Check } from '../platform/check.ts';
import { migrationChecks } from '../platform/database/checks.ts';
import { passageIndexChecks } from '../search/passages/checks.ts';
import { indexChecks } from '../search/projection/checks.ts';

/** Invariants of the database alone, which also hold in a restored copy of it. */
export const databaseChecks: Check[] = [
  ...itemChecks,
  ...scanChecks,
  ...permissionChecks,
  ...embeddingChecks,
  ...passageChecks,
  ...migrationChecks,
  ...identityChecks,
  ...providerChecks,
  ...directoryChecks,
  ...duplicateChecks,
  ...planChecks,
  ...integrityChecks,
  ...reportChecks,
  ...scheduleChecks,
  ...alertChecks,
  ...agentChecks,
  ...commandChecks,
  ...transferChecks,
  ...configChecks,
  ...reconcileChecks,
  ...replicationChecks,
  ...releaseChecks,
  ...offsiteChecks,
  ...backupChecks,
];

/** Every invariant that `catalog check` verifies. */
export const checks: Check[] = [...databaseChecks, ...indexChecks, ...passageIndexChecks, ...sandboxChecks];
