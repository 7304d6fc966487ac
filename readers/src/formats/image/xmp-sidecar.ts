import { createBodyText } from '../../body-text.ts';
import { ExtractError, type Extractor } from '../../contract.ts';
import { readWholeFile } from '../../input/file-bytes.ts';
import { cameraName } from '../names.ts';
import { readXmp } from './image-facts.ts';

const maxBytes = 4 * 1024 * 1024;

/** XMP files beside photos and other documents: what a photo program recorded without changing the photo. */
export const xmpSidecar: Extractor = {
  name: 'xmp',
  version: 1,
  text: true,
  extensions: ['xmp'],
  tools: [],
  keys: ['title', 'description', 'author', 'keywords', 'rating', 'taken_at', 'orientation', 'camera', 'lens'],
  async read(source) {
    const bytes = readWholeFile(source, maxBytes);
    if (!/<(x:xmpmeta|xap:|rdf:RDF|x:xapmeta|rdf:)/i.test(bytes.toString('latin1', 0, 65_536)))
      throw new ExtractError('corrupt', 'The file is not an XMP description.');
    const { title, description, creator, keywords, rating, taken_at, orientation, camera_make, camera_model, lens_model } = readXmp(bytes);
    const body = createBodyText(source.limits.bodyTextMaxChars);
    for (const text of [title, description, creator, ...(keywords ?? [])]) {
      if (text === undefined) continue;
      body.add(text);
      body.break();
    }
    const camera = cameraName(camera_make, camera_model);
    return {
      metadata: { title, description, author: creator, keywords, rating, taken_at, orientation, camera, lens: lens_model },
      ...(title !== undefined && { title }),
      ...(taken_at !== undefined && { year: Number(taken_at.slice(0, 4)) }),
      ...body.result(),
    };
  },
};
