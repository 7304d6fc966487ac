import { execFile } from 'node:child_process';
import { toolVersionFlag, versionIn } from '@catalog/protocol';
import type { Readers } from './readers-package.ts';

interface FoundTool {
  name: string;
  path: string | null;
  version: string | null;
}

const searchedEveryMs = 3_600_000;
let known: { at: number; tools: Promise<FoundTool[]> } | undefined;

/** Programs of the machine that readers can use, searched once an hour because they may be installed later. */
export function findTools({ extractors, locateTool }: Pick<Readers, 'extractors' | 'locateTool'>): Promise<FoundTool[]> {
  if (!known || Date.now() - known.at > searchedEveryMs) {
    const names = [...new Set(['tesseract', ...extractors.flatMap(({ tools }) => tools.map(({ name }) => name))])].sort();
    known = { at: Date.now(), tools: Promise.all(names.map((name) => describe(name, locateTool(name)))) };
  }
  return known.tools;
}

function describe(name: string, path: string | null): Promise<FoundTool> {
  if (path === null) return Promise.resolve({ name, path, version: null });
  return new Promise((resolve) => {
    execFile(path, [toolVersionFlag(name)], { timeout: 5000, maxBuffer: 200_000 }, (_error, stdout, stderr) =>
      resolve({ name, path, version: versionIn(`${stdout}\n${stderr}`) }),
    );
  });
}
