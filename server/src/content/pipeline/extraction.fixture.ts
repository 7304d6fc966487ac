import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSandboxPool, ocrTaskModule, type SandboxPool, sniffTaskModule, thumbTaskModule } from '@catalog/readers';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { type ScanCall, scan } from '../../catalog/scan/library.fixture.ts';
import { createThumbStore } from '../thumbs/index.ts';
import { type ExtractionDependencies, processItem } from './process-item.ts';
import { queueExtraction, queueUnopened } from './queue.ts';
import { claimPending, releaseClaims } from './store.ts';

/** The id of the job that claims files in these tests. */
export const job = '01a1dd25-f4f0-73a1-bb93-7c6aea54485d';

interface ExtractionTest {
  t: TestApp;
  pool: SandboxPool;
  parts: ExtractionDependencies;
  /** Scans a library and queues its new contents. */
  rescan(library: string, call?: Pick<ScanCall, 'scopes'>): ReturnType<typeof scan>;
  /** Reads everything that waits, and returns the outcome for each file. */
  read(library: string): Promise<string[]>;
  close(): Promise<void>;
}

/** An app with a real sandbox, for tests that scan files and read them step by step. */
export async function createExtractionTest(): Promise<ExtractionTest> {
  const t = await createTestApp();
  const { db, settings } = t.deps;
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-extraction-'));
  const pool = createSandboxPool({
    size: 1,
    background: false,
    tasks: { thumb: thumbTaskModule, ocr: ocrTaskModule, sniff: sniffTaskModule },
  });
  const parts = { db, settings, pool, thumbs: createThumbStore({ folder }), mayWriteThumbs: async () => true };
  return {
    t,
    pool,
    parts,
    rescan: (library, call = {}) =>
      scan(db, library, {
        ...call,
        deps: {
          queueExtraction: async (at, id, ids) => {
            await queueExtraction(at, id, ids);
          },
          queueUnopened,
        },
      }),
    async read(library) {
      const outcomes: string[] = [];
      for (const item of await claimPending(db, job, library, 100))
        outcomes.push(await processItem(parts, item, new AbortController().signal));
      await releaseClaims(db, job);
      return outcomes;
    },
    async close() {
      pool.close();
      await t.close();
      rmSync(folder, { recursive: true });
    },
  };
}
