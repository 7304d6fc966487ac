import { writeFileSync } from 'node:fs';
import { systemClock } from '../platform/clock.ts';
import { connect } from '../platform/database/index.ts';
import { silentLog } from '../platform/log/index.ts';
import { settingsForTests } from '../settings/index.ts';
import { assembleApp } from './app.ts';

// Writes the OpenAPI document to the given file, without connecting to a database. The console's API types are generated from it.
const [file] = process.argv.slice(2);
if (!file) throw new Error('Usage: print-openapi.ts <file>');
const database = connect({ host: '/nowhere' });
const app = await assembleApp({ db: database.db, database, settings: settingsForTests(), log: silentLog, clock: systemClock });
await app.ready();
writeFileSync(file, `${JSON.stringify(app.swagger())}\n`);
await app.close();
await database.close();
process.exit(0);
