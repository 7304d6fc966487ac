/**
 * Every extractor, one line each. The list is loaded by parent processes too (for versions and keys), so an extractor imports the libraries
 * it parses with only inside `read`.
 */
import type { Extractor } from './contract.ts';
import { audio } from './formats/audio.ts';
import { image } from './formats/image.ts';
import { pdf } from './formats/pdf.ts';
import { plainTextDocument } from './formats/plain-text.ts';
import { wordDocument } from './formats/docx.ts';

// biome-ignore format: one line each keeps the list readable and changes to it apart.
export const extractors: readonly Extractor[] = [
  image,
  audio,
  pdf,
  wordDocument,
  plainTextDocument,
];

const byExtension = new Map<string, Extractor>();
for (const extractor of extractors) for (const extension of extractor.extensions) byExtension.set(extension, extractor);

/** The extractor of an extension; a compound one (`tar.gz`) falls back to its last part. */
export function findExtractor(extension: string): Extractor | undefined {
  const name = extension.toLowerCase();
  return byExtension.get(name) ?? byExtension.get(name.slice(name.lastIndexOf('.') + 1));
}
