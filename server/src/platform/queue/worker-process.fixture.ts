import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../database/index.ts';
import { silentLog } from '../log/index.ts';
import { createWorker } from './index.ts';
import { processTask } from './process-task.fixture.ts';

/** A worker in a process of its own, for tests that kill it. Its task says when it begins and then takes its time. */
const database = connect(JSON.parse(process.argv[2]!));
const work = processTask(async () => {
  process.send!('begun');
  await sleep(600_000);
});
createWorker({ database, tasks: [work], log: silentLog, heartbeatIntervalSeconds: 0.2 }).start();
