/** Source code, scripts and configuration: language, lines of code, blanks and comments, and the text itself. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { createBodyText } from '../body-text.ts';
import { type Language, languageOf, languages } from './text/languages.ts';
import { readTextFile } from './text/text-file.ts';

const READ_MAX = 8 * 1024 * 1024;

export const sourceCode: Extractor = {
  name: 'source-code',
  version: 1,
  extensions: [...new Set(languages.flatMap((language) => language.extensions))],
  tools: [],
  keys: ['language', 'lines', 'code_lines', 'comment_lines', 'blank_lines', 'encoding', 'shebang'],
  read: readSourceCode,
};

export async function readSourceCode(source: Source): Promise<Extracted> {
  const file = readTextFile(source, READ_MAX);
  if (file === null) throw new ExtractError('corrupt', 'The file is not text.');
  const language = languageOf(source.extension);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  body.add(file.text);
  if (!file.complete) body.leaveOut();
  const shebang = /^#!\s*(\S{1,100}(?: \S{1,40})?)/.exec(file.text)?.[1];
  return {
    metadata: {
      language: language?.name,
      lines: file.lines,
      ...(file.complete && countLineKinds(file.text, language)),
      encoding: file.encoding,
      shebang,
    },
    ...body.result(),
  };
}

function countLineKinds(text: string, language: Language | undefined): Record<string, number> {
  let blank = 0;
  let comment = 0;
  let total = 0;
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at);
    const line = text.slice(at, Math.min(end === -1 ? text.length : end, at + 200)).trimStart();
    total += 1;
    if (line === '') blank += 1;
    else if (language?.comment?.some((mark) => line.startsWith(mark))) comment += 1;
    at = end === -1 ? text.length : end + 1;
  }
  return { code_lines: total - blank - comment, comment_lines: comment, blank_lines: blank };
}
