import { type RawBuilder, sql } from 'kysely';
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
  const chosen = (alias: string): RawBuilder<boolean> => {
    const [libraryId, relPath] = [sql.ref(`${alias}.library_id`), sql.ref(`${alias}.rel_path`)];
    const conditions = [sql<boolean>`true`];
    if (library !== null) conditions.push(sql<boolean>`${libraryId} = ${library}::uuid`);
    // '0' follows '/', so this is the range of all paths below the folder.
    if (folder) conditions.push(sql<boolean>`${relPath} >= ${`${folder}/`} and ${relPath} < ${`${folder}0`}`);
    return sql<boolean>`(${sql.join(conditions, sql` and `)})`;
  };
  const inside = (alias: string): RawBuilder<boolean> => sql<boolean>`(${access.where(alias)} and ${chosen(alias)})`;
  return {
    ...filters,
    db,
    now,
    access,
    cap,
    anyItems: inside,
    chosen,
    permissions: (alias) => access.where(alias, 'view_permissions'),
    items: (alias) => sql<boolean>`(${sql.ref(`${alias}.status`)} = 'active' and ${inside(alias)})`,
  };
}
