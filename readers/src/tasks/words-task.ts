/** The sandbox task that returns the words of one page with their positions. */
import type { Source } from '../contract.ts';
import { readPdfWords } from '../render/pdf.ts';

export default async function pageWords(source: Source, { page }: { page: number }): Promise<Buffer | null> {
  const words = await readPdfWords(source, page - 1);
  return words && Buffer.from(JSON.stringify(words));
}
