/** Compiled HTML Help (chm): pages listed by 7-Zip, title from the #SYSTEM record, text of the first pages. */

import { createBodyText } from '../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { codePageDecoder } from '../input/charset.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../input/file-bytes.ts';
import { declaredEncoding, decodeText } from '../input/text-encoding.ts';
import { archiveKeys } from './archive/member-list.ts';
import { listWithSevenZip, stopReading, unpackMembers } from './archive/seven-zip.ts';
import { codePageOfLanguage } from './office/legacy-text.ts';
import { htmlToText } from './text/html-text.ts';

const languages: Record<number, string> = {
  1033: 'en',
  1031: 'de',
  1036: 'fr',
  1040: 'it',
  1034: 'es',
  1041: 'ja',
  2052: 'zh',
  1049: 'ru',
};

export const compiledHelp: Extractor = {
  name: 'compiled-help',
  version: 3,
  text: true,
  extensions: ['chm'],
  tools: [],
  keys: ['title', 'pages', 'language', 'container', ...archiveKeys],
  read: (source) => withFileBytes(source, (file) => read(file, source)),
};

async function read(file: FileBytes, source: Source): Promise<Extracted> {
  if (file.size > source.limits.documentMaxBytes) throw tooLarge(file.size, source.limits.documentMaxBytes);
  const head = file.read(0, 96);
  if (head.length < 96 || head.toString('latin1', 0, 4) !== 'ITSF')
    throw new ExtractError('corrupt', 'The file is not a compiled help file.');
  const listed = await listWithSevenZip(file, source);
  const names = (listed.archiveMembers ?? '').split('\n');
  const pages = names.filter((name) => /\.html?$/i.test(name)).length;
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const wanted = source.limits.bodyTextMaxChars * 4;
  const html = pages === 0 ? Buffer.alloc(0) : await unpackStart(file, { pattern: '*.htm*' }, wanted);
  const localPage = codePageOfLanguage(head.readUInt32LE(20));
  const declared = declaredEncoding(html) ?? codePageDecoder(localPage).encoding;
  const page = htmlToText(decodeText(html, false, declared)?.text ?? '', source.limits.bodyTextMaxChars);
  body.add(page.text);
  if (page.truncated || html.length >= wanted) body.markTruncated();
  const title = systemTitle(await unpackStart(file, '#SYSTEM', 65_536), localPage);
  const language = languages[head.readUInt32LE(20)];
  return {
    ...listed,
    metadata: { ...listed.metadata, container: 'chm', pages, ...(title && { title }), ...(language && { language }) },
    ...(title && { title }),
    ...body.result(),
  };
}

/** The first bytes of the matching members. Members that cannot be decompressed are skipped. */
async function unpackStart(file: FileBytes, names: string | { pattern: string }, maxBytes: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  try {
    await unpackMembers(file, names, (chunk) => {
      parts.push(chunk);
      size += chunk.length;
      if (size >= maxBytes) throw stopReading;
    });
  } catch (error) {
    if (error instanceof ExtractError && error.kind === 'guard') throw error;
  }
  return Buffer.concat(parts).subarray(0, maxBytes);
}

/** #SYSTEM is a list of code, length and value. Code 3 is the title. */
function systemTitle(bytes: Buffer, page: number): string | undefined {
  for (let at = 4; at + 4 <= bytes.length; ) {
    const [code, length] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
    if (code === 3) {
      const value = bytes.subarray(at + 4, at + 4 + length);
      return (
        codePageDecoder(page)
          .decode(value)
          .replace(/\0[\s\S]*$/, '')
          .trim() || undefined
      );
    }
    at += 4 + length;
  }
  return undefined;
}
