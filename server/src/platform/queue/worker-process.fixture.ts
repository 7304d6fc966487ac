import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../database/index.ts';
import { silentLog } from '../log/index.ts';
import { createWorker } from './index.ts';
import { processTask } from './process-task.fixture.ts';

/** A worker in a separate process, for tests that kill it. Its task reports its start and then runs for ten minutes. */
const database = connect(JSON.parse(process.argv[2] ?? '{}'));
const work = processTask(async () => {
  process.send?.('started');
  await sleep(600_000);
});
createWorker({ database, tasks: [work], log: silentLog, heartbeatIntervalSeconds: 0.2 }).start();
