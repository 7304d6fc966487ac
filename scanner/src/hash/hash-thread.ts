import { parentPort, workerData } from 'node:worker_threads';
import { createFileHasher, systemHashFileSystem, type HashMessage, packResults, unpackRequests } from './hash-file.ts';

/** Hashes what it is sent, in order; reading is synchronous here and blocks nobody else. */
const hashFile = createFileHasher(systemHashFileSystem, workerData as { bytesPerSecond: number });

parentPort!.on('message', (message: HashMessage) => {
  parentPort!.postMessage({ id: message.id, results: packResults(unpackRequests(message).map(hashFile)) });
});
