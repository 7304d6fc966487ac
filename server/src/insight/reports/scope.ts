import { type RawBuilder, sql } from 'kysely';
import { isBelow, isFolderBelow } from '../../catalog/paths/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { ReportAccess } from './access.ts';
import type { ReportFilters, ReportScope } from './contract.ts';

export const noFilters: ReportFilters = {
  library: null,
  folder: null,
  threshold: null,
  since: null,
  until: null,
  principal: null,
  otherPrincipal: null,
  words: null,
  on: null,
};

export function createScope(db: Db, now: Date, access: ReportAccess, filters: ReportFilters, cap: number): ReportScope {
  const { library, folder } = filters;
  const inLibrary = (alias: string): RawBuilder<boolean> =>
    library === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(`${alias}.library_id`)} = ${library}::uuid`;
  const chosen = (alias: string): RawBuilder<boolean> =>
    sql<boolean>`(${inLibrary(alias)} and ${folder ? isFolderBelow(alias, folder) : sql`true`})`;
  const anyItems = (alias: string): RawBuilder<boolean> =>
    sql<boolean>`(${access.whereItem(alias)} and ${inLibrary(alias)} and ${folder ? isBelow(alias, folder, library) : sql`true`})`;
  return {
    ...filters,
    db,
    now,
    access,
    cap,
    items: (alias) => sql<boolean>`(${sql.ref(`${alias}.status`)} = 'active' and ${anyItems(alias)})`,
    anyItems,
    permissions: (alias) => access.whereItem(alias, 'view_permissions'),
    paths: (alias) => sql<boolean>`(${access.where(alias)} and ${chosen(alias)})`,
    permissionsOfPaths: (alias) => access.where(alias, 'view_permissions'),
    chosen,
  };
}
