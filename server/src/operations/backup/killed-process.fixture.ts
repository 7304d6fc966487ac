/** A process that makes or restores a backup and kills itself at a given step. It exits normally when that step does not come. */
import { connect, type DatabaseAddress } from '../../platform/database/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { createBackup } from './create.ts';
import { openBundle } from './folder.ts';
import { restoreBackup } from './restore.ts';

const { address, configDir, bundle, stage, step } = JSON.parse(process.argv[2]!) as {
  address: DatabaseAddress;
  configDir: string;
  /** The folder of the backup to restore; null makes one. */
  bundle: string | null;
  stage: string;
  step: number;
};
const settings = settingsForTests({ SVC_CONFIG_DIR: configDir, SVC_DISK_MIN_FREE_GB: '0', SVC_DISK_CRIT_PCT_FREE: '0' });
const database = connect(address, { max: 4 });
let seen = 0;
const options = {
  now: new Date(),
  signal: new AbortController().signal,
  progress(value: Record<string, unknown>) {
    if (value['stage'] === stage) seen += 1;
    if (seen > step) process.kill(process.pid, 'SIGKILL');
  },
};
if (bundle === null) await createBackup({ database, settings }, { ...options, createdBy: 'test', keep: 2, environment: {} });
else await restoreBackup({ database, settings }, openBundle(bundle), { ...options, backupFirst: false });
await database.close();
