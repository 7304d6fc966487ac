import { parentPort, workerData } from 'node:worker_threads';
import { createFileHasher, type HashRequest, systemHashFiles } from './hash-file.ts';

/** Hashes what it is sent, in order; reading is synchronous here and blocks nobody else. */
const hashFile = createFileHasher(systemHashFiles, workerData as { bytesPerSecond: number });

parentPort!.on('message', ({ id, requests }: { id: number; requests: HashRequest[] }) => {
  parentPort!.postMessage({ id, results: requests.map(hashFile) });
});
