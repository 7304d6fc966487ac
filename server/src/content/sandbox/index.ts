import { hideFromReaders, sandboxReport } from '@catalog/readers';
import type { Dependencies } from '../../platform/dependencies.ts';

/** Hides the config folder from readers, and logs each layer of their sandbox that this host does not offer. */
export async function openSandbox({ settings, log }: Pick<Dependencies, 'settings' | 'log'>): Promise<void> {
  hideFromReaders([settings.configDir]);
  for (const sentence of await describeMissingLayers()) log.child('sandbox').warning(sentence);
}

/** One sentence per layer that is missing: its name, the reason and the consequence. */
export async function describeMissingLayers(): Promise<string[]> {
  const layers = await sandboxReport();
  return layers.filter(({ active }) => !active).map(({ title, reason, effect }) => `${title} is not available (${reason}). ${effect}`);
}
