/** A process that scans one library until a test kills it. It prints a line when it starts. */
import { connect } from '../../platform/database/index.ts';
import { performScan, scanDependencies } from './run.ts';
import { createScanRun } from './run-store.ts';

const { address, libraryId, batchSize } = JSON.parse(process.argv[2]!) as { address: object; libraryId: string; batchSize: number };
const { db, close } = connect(address, { max: 4 });
const run = await createScanRun(db, { libraryId, trigger: 'manual', forceEmpty: false });
process.stdout.write('begins\n');
await performScan(scanDependencies({ db, options: { batchSize } }), run.id);
await close();
