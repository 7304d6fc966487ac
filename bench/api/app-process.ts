/** Runs the app in its own process, so that its memory can be measured. Arguments: database address as JSON, config directory. BENCH_SETTINGS may hold more settings. */
import { assembleApp } from '../../server/src/assembly/app.ts';
import { systemClock } from '../../server/src/platform/clock.ts';
import { connect } from '../../server/src/platform/database/index.ts';
import { silentLog } from '../../server/src/platform/log/index.ts';
import { settingsForTests } from '../../server/src/settings/index.ts';

const [, , address, configDir] = process.argv as [string, string, string, string];
const database = connect(JSON.parse(address));
const settings = settingsForTests({ SVC_CONFIG_DIR: configDir, ...JSON.parse(process.env['BENCH_SETTINGS'] ?? '{}') });
const app = await assembleApp({ db: database.db, database, settings, log: silentLog, clock: systemClock });
process.on('message', () => process.send?.({ rss: process.memoryUsage().rss }));
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
