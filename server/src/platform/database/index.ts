export {
  checkServer,
  connect,
  connectClient,
  type Database,
  type DatabaseAddress,
  type Db,
  databaseNamed,
  dbOf,
  NewerSchemaError,
  one,
  storableJson,
  storableText,
  UnusableDatabaseError,
} from './connection.ts';
export { copyRows } from './copy-rows.ts';
export { startEmbedded } from './embedded.ts';
export { databaseFailure, isReferenceError } from './failure.ts';
export { applyWithin, migrate, readMigrations } from './migrate.ts';
export { bootstrap, closeConfigFolder, databaseAddress, openDatabase, openExisting, sessionAddress, waitForSchema } from './open.ts';
export { processInBackground, workInBackground } from './priority.ts';
export { openReplica, type Replica, readFrom } from './replica.ts';
export { type SupervisedServer, superviseEmbedded } from './supervised.ts';
export type { Tables } from './tables.ts';
export { withinSeconds } from './within.ts';
