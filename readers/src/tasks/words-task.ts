/** The sandbox task that finds the words of one page and where they stand: the pool imports this module in its children. */
import type { Source } from '../contract.ts';
import { readPdfWords } from '../render/pdf.ts';

export default async function pageWords(source: Source, { page }: { page: number }): Promise<Buffer | null> {
  const words = await readPdfWords(source, page - 1);
  return words && Buffer.from(JSON.stringify(words));
}
