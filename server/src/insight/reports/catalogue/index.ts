import type { ReportDefinition } from '../contract.ts';
import { activityReports } from './activity.ts';
import { ageReports } from './ages.ts';
import { duplicateReports } from './duplicates.ts';
import { fileReports } from './files.ts';
import { folderReports } from './folders.ts';
import { growthReports } from './growth.ts';
import { healthReports } from './health.ts';
import { integrityReports } from './integrity.ts';
import { libraryReports } from './libraries.ts';
import { peopleReports } from './people.ts';
import { permissionChangeReports } from './permission-changes.ts';
import { permissionReports } from './permissions.ts';

/** Every canned report. */
export const reports: readonly ReportDefinition[] = [
  ...libraryReports,
  ...folderReports,
  ...growthReports,
  ...ageReports,
  ...fileReports,
  ...duplicateReports,
  ...healthReports,
  ...integrityReports,
  ...activityReports,
  ...permissionReports,
  ...permissionChangeReports,
  ...peopleReports,
];

const byId = new Map(reports.map((report) => [report.id, report]));

export function findReport(id: string): ReportDefinition | null {
  return byId.get(id) ?? null;
}
