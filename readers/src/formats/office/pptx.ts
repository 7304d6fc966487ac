/** Presentations (pptx, pptm, ppsx, …): slides, notes and their text in slide order. */

import { posix } from 'node:path';
import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import { readXml } from '../../input/xml.ts';
import type { Zip, ZipEntry } from '../../input/zip.ts';
import { keepReadable, officeKeys, openOfficePackage, readOfficePart, readOfficeProperties, unlessDamaged } from './package.ts';

export const presentation: Extractor = {
  name: 'pptx',
  version: 7,
  text: true,
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  tools: [],
  keys: [...officeKeys, 'pages', 'slides', 'word_count', 'notes', 'images'],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

async function read(zip: Zip, source: Source): Promise<Extracted> {
  const main = zip.find('ppt/presentation.xml');
  if (main === undefined) throw new ExtractError('corrupt', 'The presentation has no main part.');
  const { metadata, title } = readOfficeProperties(zip, ['word_count']);
  const numbered = (pattern: RegExp) =>
    zip.entries
      .map((entry) => ({ entry, number: Number(pattern.exec(entry.name)?.[1] ?? Number.NaN) }))
      .filter((part) => !Number.isNaN(part.number))
      .sort((a, b) => a.number - b.number)
      .map((part) => part.entry);
  const shown = slidesInOrder(zip, main);
  const slides = shown.length > 0 ? shown : numbered(/^ppt\/slides\/slide(\d+)\.xml$/);
  const notes = numbered(/^ppt\/notesSlides\/notesSlide(\d+)\.xml$/);
  const others = zip.entries.filter(({ name }) => /^ppt\/(?:diagrams\/data\d+|charts\/chart\d+|comments\/[^/]+)\.xml$/.test(name));
  const masters = numbered(/^ppt\/slide(?:Masters\/slideMaster|Layouts\/slideLayout)(\d+)\.xml$/);
  const body = createBodyText(source.limits.bodyTextMaxChars);
  let damage: ExtractError | null = null;
  for (const [at, part] of [...slides, ...notes, ...others, ...masters].entries()) {
    // A form feed begins each slide, even an empty one, so that they can be counted; another one begins everything after the slides.
    if (at > 0 && at <= slides.length) body.add('\f');
    if (body.full()) {
      body.markTruncated();
      break;
    }
    let inText = false;
    // What a master shows on every slide is text; its placeholders are not.
    let inPlaceholder = false;
    const isMaster = /^ppt\/slide(?:Masters|Layouts)\//.test(part.name);
    const error = await readOfficePart(zip, part, {
      open(name) {
        if (name === 'sp') inPlaceholder = false;
        else if (name === 'ph') inPlaceholder = true;
        inText = name === 't' || name === 'text' || (name === 'v' && part.name.startsWith('ppt/charts/'));
        if (name === 'br') body.break();
      },
      close(name) {
        inText = false;
        if (name === 'p' || name === 'v' || name === 'text') body.break();
      },
      text(text) {
        if (inText && !(isMaster && inPlaceholder)) body.add(text);
      },
    });
    damage ??= error;
    body.break('\n\n');
  }
  keepReadable(damage, body, metadata);
  const text = body.result();
  if (!text.bodyTextTruncated) metadata['word_count'] ??= body.words();
  const images = zip.entries.filter((entry) => entry.name.startsWith('ppt/media/')).length;
  Object.assign(metadata, { pages: slides.length, slides: slides.length, notes: notes.length || undefined, images: images || undefined });
  return { metadata, ...(title !== undefined && { title }), ...text };
}

const PART_MAX = 16 * 1024 * 1024;

/** The slides in the order in which they are shown, which the names of their parts need not follow. Empty if it cannot be read. */
function slidesInOrder(zip: Zip, main: ZipEntry): ZipEntry[] {
  const relations = zip.find('ppt/_rels/presentation.xml.rels');
  const targets = new Map<string, string>();
  const ids: string[] = [];
  const textOf = (part: ZipEntry): string =>
    zip
      .read(part, PART_MAX)
      .toString('utf8')
      .replace(/^\uFEFF/, '');
  const isComplete = unlessDamaged(() => {
    if (relations === undefined) return;
    readXml(textOf(relations), {
      open: (name, { Id = '', Target = '' }) => void (name === 'Relationship' && targets.set(Id, Target)),
    });
    readXml(
      textOf(main),
      {
        open(name, attributes) {
          // A slide has an id of its own beside that of the relationship.
          if (/(?:^|:)sldId$/.test(name)) ids.push(Object.entries(attributes).find(([key]) => key.endsWith(':id'))?.[1] ?? '');
        },
      },
      { localNames: false },
    );
  });
  if (!isComplete) return [];
  const slides = ids.flatMap((id) => {
    const target = targets.get(id) ?? '';
    return zip.find(target.startsWith('/') ? target.slice(1) : posix.join('ppt', target)) ?? [];
  });
  // A hostile file could name one large slide many thousand times.
  return [...new Set(slides)];
}
