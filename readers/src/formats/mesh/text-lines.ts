import { ExtractError } from '../../contract.ts';
import { type FileBytes, fileChunks } from '../../input/file-bytes.ts';

const maxLine = 1 << 20;

/** The lines of a text file, one at a time, without holding the file. A line beyond a megabyte is no text of any format read here. */
export function* textLines(file: FileBytes, from = 0): Generator<string> {
  let rest = '';
  for (const chunk of fileChunks(file, 1 << 20, from)) {
    const lines = (rest + chunk.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLine) throw new ExtractError('guard', 'A line of the file is longer than a megabyte.');
    yield* lines;
  }
  if (rest !== '') yield rest;
}
