import { itemChecks } from '../catalog/items/checks.ts';
import { scanChecks } from '../catalog/scan/checks.ts';
import { sandboxChecks } from '../content/sandbox/checks.ts';
import { alertChecks } from '../insight/alerts/checks.ts';
import { duplicateChecks } from '../insight/copies/checks.ts';
import { reportChecks } from '../insight/reports/checks.ts';
import { identityChecks } from '../people/identity/checks.ts';
import type { Check } from '../platform/check.ts';
import { migrationChecks } from '../platform/database/checks.ts';
import { indexChecks } from '../search/projection/checks.ts';

/** Every invariant that `catalog check` verifies. */
export const checks: Check[] = [
  ...itemChecks,
  ...scanChecks,
  ...indexChecks,
  ...migrationChecks,
  ...identityChecks,
  ...sandboxChecks,
  ...duplicateChecks,
  ...reportChecks,
  ...alertChecks,
];
