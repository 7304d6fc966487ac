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
export { bootstrap, closeConfigFolder, databaseAddress, openDatabase, waitForDatabase } from './open.ts';
export type { Tables } from './tables.ts';
