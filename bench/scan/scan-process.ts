/** Runs one scan in its own process, like a worker, and prints its time, counters and peak memory. */
import { createScanRun, performScan, scanDependencies } from '../../server/src/catalog/scan/index.ts';
import { connect } from '../../server/src/platform/database/index.ts';

const [address, libraryId] = process.argv.slice(2) as [string, string];
const { db, close } = connect(JSON.parse(address), { max: 6 });
await db.selectFrom('libraries').select('id').execute();
const started = performance.now();
const cpuBefore = process.cpuUsage();
const run = await createScanRun(db, { libraryId, trigger: 'manual', forceEmpty: false });
const end = await performScan(scanDependencies({ db }), run.id);
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpuBefore);
await close();
process.stdout.write(
  JSON.stringify({
    seconds,
    status: end.status,
    error: end.error,
    stats: end.stats,
    cpu: (user + system) / 1e6,
    rssMiB: process.resourceUsage().maxRSS / 1024,
  }),
);
