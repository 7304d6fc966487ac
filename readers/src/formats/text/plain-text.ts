/** Plain text and simple markup: encoding, number of lines and words, and text. Binary files are rejected as corrupt. */

import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { readTextFile } from './text-file.ts';

export const plainTextDocument: Extractor = {
  name: 'text',
  version: 2,
  text: true,
  extensions: [
    'txt text md markdown mdown mkd mdx 1st ans etx pgn wtx mdwn mkdn rdoc nroff bst dtx rmarkdown livemd rnw nb',
    'dif slk sylk rst adoc asciidoc org textile wiki mediawiki creole pod nfo diz me readme tex latex ltx bib cls',
    'sty man troff roff ms texi texinfo typ rmd qmd fountain opml dita ditamap docbook dbk enw ris nbib igc mif',
  ].flatMap((line) => line.split(' ')),
  tools: [],
  keys: ['encoding', 'lines', 'word_count', 'title'],
  read,
};

async function read(source: Source): Promise<Extracted> {
  const file = readTextFile(source);
  if (file === null) throw new ExtractError('corrupt', 'The file is not text.');
  const body = createBodyText(source.limits.bodyTextMaxChars);
  body.add(file.text);
  if (!file.complete) body.markTruncated();
  const title = documentTitle(source.extension, file.text);
  return {
    metadata: { encoding: file.encoding, lines: file.lines, word_count: file.complete ? body.words() : undefined, title },
    ...(title !== undefined && { title }),
    ...body.result(),
  };
}

/**
 * The first heading of a Markdown or AsciiDoc document, or the title of a LaTeX document. Headings are searched line by line, so that no
 * regular expression runs on the whole text.
 */
function documentTitle(extension: string, text: string): string | undefined {
  const lines = text.slice(0, 20_000).split('\n', 400);
  if (['md', 'markdown', 'mdown', 'mkd', 'mdx', 'rmd', 'qmd'].includes(extension))
    return frontMatterTitle(lines) ?? firstHeading(lines, '# ');
  if (['adoc', 'asciidoc'].includes(extension)) return firstHeading(lines, '= ');
  if (['tex', 'latex', 'ltx'].includes(extension)) return /\\title\{([^{}]{1,200})\}/.exec(text.slice(0, 20_000))?.[1]?.trim();
  return undefined;
}

/** The title in a Markdown document's front matter. */
function frontMatterTitle(lines: readonly string[]): string | undefined {
  if (lines[0]?.trim() !== '---') return undefined;
  for (const line of lines.slice(1)) {
    if (line.trim() === '---') return undefined;
    if (line.startsWith('title:'))
      return (
        line
          .slice(6, 300)
          .trim()
          .replace(/^["']|["']$/g, '') || undefined
      );
  }
  return undefined;
}

function firstHeading(lines: readonly string[], prefix: string): string | undefined {
  const line = lines.find((candidate) => candidate.startsWith(prefix) && candidate.slice(prefix.length).trim() !== '');
  return line?.slice(prefix.length, 300).trim().replace(/ #+$/, '');
}
