/** Plain text and simple markup: encoding, lines, words, text. A file that is no text at all is corrupt under this name. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { createBodyText } from '../reading/body-text.ts';
import { readTextFile } from './text/text-file.ts';

export const plainTextDocument: Extractor = {
  name: 'text',
  version: 1,
  extensions: [
    'txt',
    'text',
    'md',
    'markdown',
    'mdown',
    'mkd',
    'mdx',
    'rst',
    'adoc',
    'asciidoc',
    'org',
    'textile',
    'wiki',
    'mediawiki',
    'creole',
    'pod',
    'nfo',
    'diz',
    'me',
    'readme',
    'tex',
    'latex',
    'ltx',
    'bib',
    'cls',
    'sty',
    'man',
    'troff',
    'roff',
    'ms',
    'texi',
    'texinfo',
    'typ',
    'rmd',
    'qmd',
    'fountain',
    'opml',
    'dita',
    'ditamap',
    'docbook',
    'dbk',
  ],
  tools: [],
  keys: ['encoding', 'lines', 'word_count', 'title'],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const file = readTextFile(source);
  if (file === null) throw new ExtractError('corrupt', 'The file is not text.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  body.add(file.text);
  if (!file.complete) body.leaveOut();
  const title = headline(source.extension, file.text);
  return {
    metadata: { encoding: file.encoding, lines: file.lines, word_count: file.complete ? body.words() : undefined, title },
    ...(title !== undefined && { title }),
    ...body.result(),
  };
}

/** The first heading of a Markdown or AsciiDoc text, or the title a LaTeX source declares. */
function headline(extension: string, text: string): string | undefined {
  const start = text.slice(0, 20_000);
  if (['md', 'markdown', 'mdown', 'mkd', 'mdx', 'rmd', 'qmd'].includes(extension)) {
    const front = /^---\r?\n([\s\S]{0,4000}?)\r?\n---/.exec(start)?.[1];
    const named = front === undefined ? undefined : /^title:\s*["']?(.+?)["']?\s*$/m.exec(front)?.[1];
    return named ?? /^#\s+(.{1,200}?)\s*#*\s*$/m.exec(start)?.[1];
  }
  if (['adoc', 'asciidoc'].includes(extension)) return /^=\s+(.{1,200})$/m.exec(start)?.[1]?.trim();
  if (['tex', 'latex', 'ltx'].includes(extension)) return /\\title\{([^{}]{1,200})\}/.exec(start)?.[1]?.trim();
  return undefined;
}
