/** Presentations (pptx, pptm, ppsx, …): slides, notes and their text in slide order. */

import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { withFileBytes } from '../../input/file-bytes.ts';
import type { Zip } from '../../input/zip.ts';
import { keepReadable, officeKeys, openOfficePackage, readOfficePart, readOfficeProperties } from './package.ts';

export const presentation: Extractor = {
  name: 'pptx',
  version: 6,
  text: true,
  extensions: ['pptx', 'pptm', 'ppsx', 'ppsm', 'potx', 'potm'],
  tools: [],
  keys: [...officeKeys, 'pages', 'slides', 'word_count', 'notes', 'images'],
  read: (source) => withFileBytes(source, (file) => read(openOfficePackage(file, source), source)),
};

async function read(zip: Zip, source: Source): Promise<Extracted> {
  if (zip.find('ppt/presentation.xml') === undefined) throw new ExtractError('corrupt', 'The presentation has no main part.');
  const { metadata, title } = readOfficeProperties(zip, ['word_count']);
  const numbered = (pattern: RegExp) =>
    zip.entries
      .map((entry) => ({ entry, number: Number(pattern.exec(entry.name)?.[1] ?? Number.NaN) }))
      .filter((part) => !Number.isNaN(part.number))
      .sort((a, b) => a.number - b.number)
      .map((part) => part.entry);
  const slides = numbered(/^ppt\/slides\/slide(\d+)\.xml$/);
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
