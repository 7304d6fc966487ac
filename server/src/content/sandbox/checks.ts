import type { Check } from '../../platform/check.ts';
import { describeMissingLayers } from './index.ts';

/** A host without all layers is not a damaged catalog, so what is missing is reported without failing the check. */
export const sandboxChecks: Check[] = [
  { name: 'every layer of the reader sandbox is available', severity: 'note', run: () => describeMissingLayers() },
];
