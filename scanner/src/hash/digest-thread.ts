import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import type { DigestAlgorithm, DigestResult } from './digest.ts';
import { systemHashFileSystem as files } from './hash-file.ts';

const { path, algorithms, maxBytes } = workerData as { path: string; algorithms: readonly DigestAlgorithm[]; maxBytes: number };

function computeDigests(): DigestResult {
  let file: number | undefined;
  try {
    file = files.open(path);
    const before = files.stat(file);
    if (!before.isFile) return { refused: 'not_a_file' };
    if (before.size > maxBytes) return { refused: 'too_large' };
    const hashes = algorithms.map((name) => ({ name, hash: createHash(name) }));
    const buffer = Buffer.allocUnsafeSlow(1 << 20);
    let position = 0;
    for (let read = files.read(file, buffer, buffer.length, 0); read > 0; read = files.read(file, buffer, buffer.length, position)) {
      for (const { hash } of hashes) hash.update(buffer.subarray(0, read));
      position += read;
      if (position > before.size) break;
    }
    const after = files.stat(file);
    if (position !== before.size || after.mtimeNs !== before.mtimeNs) return { refused: 'changed' };
    return { size: before.size, digests: Object.fromEntries(hashes.map(({ name, hash }) => [name, hash.digest('hex')])) };
  } catch (error) {
    return { refused: (error as NodeJS.ErrnoException).code ?? 'EIO' };
  } finally {
    if (file !== undefined) files.close(file);
  }
}

parentPort?.postMessage(computeDigests());
