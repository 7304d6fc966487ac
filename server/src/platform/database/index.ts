export {
  checkServer,
  connect,
  connectClient,
  type Database,
  type DatabaseAddress,
  type Db,
  one,
  storableJson,
  storableText,
  UnusableDatabaseError,
} from './connection.ts';
export { type EmbeddedServer, startEmbedded } from './embedded.ts';
export { migrate } from './migrate.ts';
export { bootstrap, databaseAddress, openDatabase, sessionAddress, waitForDatabase } from './open.ts';
export type { Tables } from './tables.ts';
