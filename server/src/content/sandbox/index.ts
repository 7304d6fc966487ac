import { hideFromReaders, sandboxReport } from '@catalog/readers';
import type { Dependencies } from '../../platform/dependencies.ts';

/** Hides the config folder from readers. Call it before the first file is read. */
export function protectConfigFolder({ configDir }: Dependencies['settings']): void {
  hideFromReaders([configDir]);
}

/** Logs each layer of the sandbox that this host does not offer. It starts a few processes, so call it when the service is ready. */
export async function logMissingLayers(log: Dependencies['log']): Promise<void> {
  for (const sentence of await describeMissingLayers()) log.child('sandbox').warning(sentence);
}

/** One sentence per layer that is missing: its name, the reason and the consequence. */
export async function describeMissingLayers(): Promise<string[]> {
  const layers = await sandboxReport();
  return layers.filter(({ active }) => !active).map(({ title, reason, effect }) => `${title} is not available (${reason}). ${effect}`);
}
