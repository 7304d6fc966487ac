export {
  checkServer,
  connect,
  connectClient,
  type Database,
  type DatabaseAddress,
  UnusableDatabaseError,
  type Db,
  one,
} from './connection.ts';
export { type EmbeddedServer, embeddedAddress, startEmbedded } from './embedded.ts';
export { changedMigrations, migrate, readMigrations } from './migrate.ts';
export { storableJson, storableText } from './connection.ts';
export type { Tables } from './tables.ts';
export { bootstrap, databaseAddress, openDatabase, waitForDatabase } from './open.ts';
