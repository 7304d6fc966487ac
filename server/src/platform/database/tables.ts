/**
 * Every module adds its tables here by declaration merging, so that queries are checked against existing columns:
 *   declare module '../../platform/database/tables.ts' { interface Tables { users: UsersTable } }
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by other modules.
export interface Tables {}
