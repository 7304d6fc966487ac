import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../reading/file-bytes.ts';
import { present } from '../text-head.ts';
import { readCollada } from './collada.ts';
import { readPointCloud } from './point-cloud.ts';

/** Scenes and scans: what their headers say. Their geometry is not evaluated. */
export const sceneFile: Extractor = {
  name: 'scene',
  version: 1,
  extensions: ['blend', 'blend1', 'fbx', 'dae', 'collada', 'las', 'laz'],
  tools: [],
  keys: [
    'scene',
    ...['format', 'version', 'binary', 'compressed', 'generator', 'units', 'up_axis', 'geometries', 'animations', 'created', 'system'].map(
      (key) => `scene.${key}`,
    ),
    ...['points', 'bbox', 'bbox_volume', 'file_format', 'author'],
  ],
  read: (source) => withFileBytes(source, (file) => readScene(file, source)),
};

function readScene(file: FileBytes, source: Source): Extracted | Promise<Extracted> {
  if (source.extension === 'las' || source.extension === 'laz') return readPointCloud(file);
  if (source.extension === 'dae' || source.extension === 'collada') return readCollada(file, source);
  const scene = source.extension === 'fbx' ? readFbx(file) : readBlend(file);
  return { metadata: { file_format: scene['format'], scene } };
}

/** Blender: the version stands in the first bytes; a packed file says only how it is packed. */
function readBlend(file: FileBytes): Record<string, unknown> {
  const head = file.read(0, 17);
  const mark = /^BLENDER(?:\d\d)?[_-](?:\d\d)?[vV](\d{3,4})/.exec(head.toString('latin1'));
  if (mark) {
    const digits = Number(mark[1]);
    return { format: 'blend', version: `${Math.floor(digits / 100)}.${digits % 100}`, compressed: false };
  }
  const packed = (head[0] === 0x1f && head[1] === 0x8b) || (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528);
  if (packed) return { format: 'blend', compressed: true };
  throw new ExtractError('corrupt', 'The header of the scene is missing.');
}

function readFbx(file: FileBytes): Record<string, unknown> {
  const head = file.read(0, 65_536);
  const text = head.toString('latin1');
  if (text.startsWith('Kaydara FBX Binary')) {
    if (head.length < 27) throw new ExtractError('corrupt', 'The header of the scene is damaged.');
    const creator = /Creator[\s\S]{0,3}S[\s\S]{4}([\x20-\x7e]{3,120})/.exec(text)?.[1];
    return present({ format: 'fbx', binary: true, version: (head.readUInt32LE(23) / 1000).toFixed(1), generator: creator });
  }
  const version = /^\s*FBXVersion:\s*(\d{4})/m.exec(text)?.[1];
  if (version === undefined && !/^;\s*FBX/m.test(text)) throw new ExtractError('corrupt', 'The header of the scene is missing.');
  return present({
    format: 'fbx',
    binary: false,
    version: version && (Number(version) / 1000).toFixed(1),
    generator: /^\s*Creator:\s*"([^"\r\n]{1,120})"/m.exec(text)?.[1],
  });
}
