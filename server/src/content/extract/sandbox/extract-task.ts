/** The task every child knows: look the extension up, let its extractor read the file, and make the result plain. */
import type { Source } from '../contract.ts';
import { findExtractor } from '../registry.ts';
import { plainExtracted } from './plain-values.ts';
import type { ExtractResult } from './protocol.ts';

export default async function extract(source: Source): Promise<ExtractResult> {
  const extractor = findExtractor(source.extension);
  if (extractor === undefined) return { unsupported: true };
  const extracted = plainExtracted(await extractor.read(source), source.limits.bodyTextMaxChars);
  return { extracted, extractor: extractor.name, version: extractor.version };
}
