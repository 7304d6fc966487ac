import { createRequire } from 'node:module';

/** Where koffi is searched for. A single executable has it nowhere until it has unpacked it: scripts/build-agent.mjs writes null here. */
let base: string | null = import.meta.url;
let folder: string | undefined;

/** The folder into which koffi was unpacked; undefined where it is an ordinary package. Threads that need koffi get it as `workerData`. */
export const koffiFolder = (): string | undefined => folder;

/** Nobody else may be able to write to the folder, because native code is loaded from it. */
export function setKoffiFolder(unpacked: string | undefined): void {
  if (unpacked === undefined) return;
  folder = unpacked;
  base = `${unpacked}/`;
}

/** Required rather than imported, because some threads import the callers and must not load native code. Throws where koffi is missing. */
export function loadKoffi(): typeof import('koffi') {
  if (base === null) throw new Error('koffi has not been unpacked.');
  return createRequire(base)('koffi') as typeof import('koffi');
}
