/**
 * Every room adds its tables here by declaration merging, so that a query names only columns that exist:
 *   declare module '../../platform/database/tables.ts' { interface Tables { users: UsersTable } }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the rooms.
export interface Tables {}
