/** FictionBook e-books, plain or zipped. */

import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { type FileBytes, fileChunks, tooLarge, withFileBytes } from '../input/file-bytes.ts';
import { readXmlChunks } from '../input/xml.ts';
import { openZip } from '../input/zip.ts';

export const fictionBook: Extractor = {
  name: 'fb2',
  version: 3,
  text: true,
  extensions: ['fb2', 'fb2z', 'fbz', 'fb2.zip'],
  tools: [],
  keys: [
    'title',
    'author',
    'genre',
    'language',
    'description',
    'publisher',
    'isbn',
    'year',
    'series',
    'series_index',
    'chapter_count',
    'has_cover',
  ],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size === 0) throw new ExtractError('corrupt', 'The file is empty.');
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const metadata: Record<string, unknown> = {};
  const names: string[] = [];
  const authors: string[] = [];
  const genres: string[] = [];
  const path: string[] = [];
  let sections = 0;
  const inside = (name: string): boolean => path.includes(name);
  await readXmlChunks(bookChunks(file, source), {
    open(name, attributes, depth) {
      if (depth === 1 && name !== 'FictionBook') throw new ExtractError('corrupt', 'The file is not a FictionBook.');
      path.push(name);
      if (name === 'section' && inside('body')) sections += 1;
      else if (name === 'sequence' && inside('title-info'))
        Object.assign(metadata, { series: attributes['name'], series_index: Number(attributes['number']) || undefined });
      else if (name === 'coverpage') metadata['has_cover'] = true;
      else if (name === 'date' && inside('title-info')) metadata['year'] ??= yearIn(attributes['value']);
    },
    close(name) {
      if (name === 'author' && inside('title-info')) {
        if (names.length > 0) authors.push(names.splice(0).join(' '));
      }
      if (name === 'p' || name === 'v' || name === 'title' || name === 'subtitle') body.break();
      path.pop();
    },
    text(text) {
      if (inside('body')) {
        body.add(text);
        return;
      }
      const value = text.trim();
      if (value === '') return;
      const element = path.at(-1);
      if (inside('title-info')) {
        if (path.at(-2) === 'author' && element !== 'id' && element !== 'email' && element !== 'home-page') names.push(value);
        else if (element === 'book-title') metadata['title'] ??= value;
        else if (element === 'genre') genres.push(value);
        else if (element === 'lang') metadata['language'] ??= value;
        else if (element === 'date') metadata['year'] ??= yearIn(value);
        else if (inside('annotation')) metadata['description'] = `${metadata['description'] ?? ''} ${value}`.trim().slice(0, 4000);
      } else if (inside('publish-info')) {
        if (element === 'publisher') metadata['publisher'] ??= value;
        else if (element === 'isbn') metadata['isbn'] ??= value;
        else if (element === 'year') metadata['year'] ??= yearIn(value);
      }
    },
  });
  Object.assign(metadata, { author: authors.join(', '), genre: genres.join(', '), chapter_count: sections || undefined });
  const title = metadata['title'] as string | undefined;
  const year = metadata['year'] as number | undefined;
  return { metadata, ...(title !== undefined && { title }), ...(year !== undefined && { year }), ...body.result() };
}

function bookChunks(file: FileBytes, source: Source): Iterable<Buffer> | AsyncIterable<Buffer> {
  if (file.read(0, 2).toString('latin1') !== 'PK') return fileChunks(file);
  const zip = openZip(file, source.limits);
  const entry = zip.entries.find((candidate) => candidate.name.toLowerCase().endsWith('.fb2'));
  if (entry === undefined) throw new ExtractError('corrupt', 'The archive contains no FictionBook.');
  return zip.stream(entry);
}

function yearIn(value: string | undefined): number | undefined {
  const found = /\b(1[4-9]|20)\d\d\b/.exec(value ?? '');
  return found === null ? undefined : Number(found[0]);
}
