import { parentPort, workerData } from 'node:worker_threads';
import { createFileHasher, type HashMessage, packResults, systemHashFileSystem, unpackRequests } from './hash-file.ts';

const hashFile = createFileHasher(systemHashFileSystem, workerData as { bytesPerSecond: number });

parentPort?.on('message', (message: HashMessage) => {
  parentPort?.postMessage({ id: message.id, results: packResults(unpackRequests(message).map(hashFile)) });
});
