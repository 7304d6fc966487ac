import { systemClock } from '../../platform/clock.ts';
import { connect } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { silentLog } from '../../platform/log/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { exportTasks } from './tasks.ts';

/** A process that performs one export and stands still when part of its file is written. Arguments: database address, config folder, export. */
const [address = '', configDir = '', exportId = ''] = process.argv.slice(2);
const database = connect(JSON.parse(address), { max: 3 });
const deps = {
  db: database.db,
  database,
  log: silentLog,
  clock: systemClock,
  settings: settingsForTests({ SVC_CONFIG_DIR: configDir }),
} as unknown as Dependencies;
const [task] = exportTasks(deps);
await task?.perform(
  { export_id: exportId, byte_order_mark: false },
  {
    ...deps,
    jobId: exportId,
    attempt: 1,
    signal: new AbortController().signal,
    progress({ bytes }) {
      if (Number(bytes) === 0) return;
      process.send?.('writing');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    },
  },
);
