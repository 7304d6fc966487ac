import { ExtractError, type Extracted, type Source } from '../../contract.ts';
import { type FileBytes, fileChunks, tooLarge } from '../../input/file-bytes.ts';
import { createXmlReader } from '../../input/xml.ts';
import { withoutEmpty } from '../text-head.ts';

/** COLLADA: its asset description and how many geometries and animations it holds. */
export function readCollada(file: FileBytes, source: Source): Extracted {
  if (file.size > source.limits.model3dMaxBytes) throw tooLarge(file.size, source.limits.model3dMaxBytes);
  const found: Record<string, string> = {};
  const counts = { geometry: 0, animation: 0, triangles: 0 };
  let root = '';
  let version: string | undefined;
  let current = '';
  let text = '';
  const decoder = new TextDecoder();
  const reader = createXmlReader({
    open(name, attributes, depth) {
      if (depth === 1) {
        root = name;
        version = attributes['version'];
      }
      if (name === 'geometry') counts.geometry++;
      else if (name === 'animation') counts.animation++;
      else if (name === 'triangles') counts.triangles += Math.max(0, Number(attributes['count']) || 0);
      else if (name === 'unit') found['unit'] ??= attributes['name'] ?? '';
      current = ['authoring_tool', 'author', 'created', 'up_axis', 'title'].includes(name) ? name : '';
      text = '';
    },
    text(piece) {
      if (current !== '' && text.length < 300) text += piece;
    },
    close() {
      if (current !== '' && text.trim() !== '') found[current] ??= text.trim().slice(0, 300);
      current = '';
    },
  });
  for (const chunk of fileChunks(file)) reader.write(decoder.decode(chunk, { stream: true }));
  reader.end();
  if (root !== 'COLLADA') throw new ExtractError('corrupt', 'This is not a COLLADA scene.');
  return {
    metadata: {
      file_format: 'dae',
      scene: withoutEmpty({
        format: 'dae',
        version,
        generator: found['authoring_tool'],
        units: found['unit'],
        up_axis: found['up_axis']?.replace('_UP', '').toLowerCase(),
        created: found['created'],
        geometries: counts.geometry,
        animations: counts.animation,
      }),
      ...withoutEmpty({ author: found['author'] }),
    },
    ...withoutEmpty({ title: found['title'] }),
  };
}
