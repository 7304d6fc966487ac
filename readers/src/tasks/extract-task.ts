/** The task every child knows: look the extension up, let its extractor read the file, and make the result plain. */
import type { Source } from '../contract.ts';
import { readProvenance } from '../input/provenance.ts';
import { findExtractor } from '../registry.ts';
import { plainExtracted } from '../sandbox/plain-values.ts';
import type { ExtractResult, ExtractTaskOptions } from '../sandbox/protocol.ts';

export default async function extract(source: Source, options: ExtractTaskOptions): Promise<ExtractResult> {
  const provenance = options.provenance ? readProvenance(source.path) : {};
  const known = Object.keys(provenance).length > 0 ? { provenance } : {};
  const extractor = findExtractor(source.extension);
  if (extractor === undefined) return { unsupported: true, ...known };
  const extracted = plainExtracted(await extractor.read(source), source.limits.bodyTextMaxChars);
  return { extracted, extractor: extractor.name, version: extractor.version, ...known };
}
