/** Writes samples into a temporary folder. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultLimits, type Limits, type Source } from '../../src/contract.ts';

export interface SampleFolder {
  /** Writes a file and returns it as a Source. The extension defaults to that of the name. */
  source(filename: string, bytes: Buffer | string, options?: { limits?: Partial<Limits>; extension?: string }): Source;
  folder: string;
  remove(): void;
}

const compoundExtension = /\.(tar\.[a-z0-9]+)$/i;

export function openSampleFolder(): SampleFolder {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-samples-'));
  return {
    folder,
    source(filename, bytes, options = {}) {
      const path = join(folder, filename);
      writeFileSync(path, bytes);
      const extension =
        options.extension ?? (compoundExtension.exec(filename)?.[1] ?? /\.([^.]+)$/.exec(filename)?.[1] ?? '').toLowerCase();
      return { path, filename, extension, size: Buffer.byteLength(bytes), limits: { ...defaultLimits, ...options.limits } };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
