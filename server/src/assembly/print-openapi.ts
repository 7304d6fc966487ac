import { writeFileSync } from 'node:fs';
import { systemClock } from '../platform/clock.ts';
import { connect } from '../platform/database/index.ts';
import { silentLog } from '../platform/log/index.ts';
import { settingsForTests } from '../settings/index.ts';
import { assembleApp } from './app.ts';

// Writes the OpenAPI document of this program to the file named; nothing is connected to. The console's types are made from it.
const database = connect({ host: '/nowhere' });
const app = await assembleApp({ db: database.db, database, settings: settingsForTests(), log: silentLog, clock: systemClock });
await app.ready();
writeFileSync(process.argv[2]!, `${JSON.stringify(app.swagger())}\n`);
await app.close();
await database.close();
process.exit(0);
