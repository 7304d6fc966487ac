import { systemClock } from '../../platform/clock.ts';
import { connect } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { pump } from './pump.ts';

/** A process that runs the pump over and over until it is killed. Arguments: the database address and the time offset in seconds. */
const [address = '', offset = '0'] = process.argv.slice(2);
const database = connect(JSON.parse(address), { max: 3 });
const settings = settingsForTests({
  SVC_SECRET_KEY: 'a key for these tests',
  SVC_WEBHOOK_ALLOWED_CIDRS: '127.0.0.1',
  SVC_ALERT_RULE_MAX_PER_HOUR: '100000',
  SVC_ALERT_MAX_DELIVERY_ATTEMPTS: '1000',
});
process.send?.('ready');
for (;;) {
  // Time runs faster, so that a message that a killed process was sending is due again at once.
  const now = new Date(systemClock.now().getTime() + Number(offset) * 1000);
  await pump(
    { db: database.db, log: silentLog, settings, now },
    { outbound: createOutbound({ settings, env: {} }), matchSearch: async () => [] },
  );
  await new Promise((resolve) => setTimeout(resolve, 5));
}
