import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, withFileBytes } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../text-head.ts';
import { readCollada } from './collada.ts';
import { readPcd, readPointCloud } from './point-cloud.ts';
import { readThreeDs } from './three-ds.ts';

/** Scenes and scans: what their headers say. Their geometry is not evaluated. */
export const sceneFile: Extractor = {
  name: 'scene',
  version: 1,
  extensions: ['blend', 'blend1', 'fbx', 'dae', 'collada', 'las', 'laz', 'pcd', '3ds', 'usda', 'usdc', 'wrl', 'vrml', 'skp'],
  tools: [],
  keys: [
    'scene',
    ...['format', 'version', 'binary', 'compressed', 'generator', 'units', 'up_axis', 'geometries', 'animations', 'created', 'system'].map(
      (key) => `scene.${key}`,
    ),
    ...['points', 'triangles', 'vertices', 'mesh_count', 'bbox', 'bbox_volume', 'file_format', 'author'],
  ],
  read: (source) => withFileBytes(source, (file) => readScene(file, source)),
};

function readScene(file: FileBytes, source: Source): Extracted | Promise<Extracted> {
  if (source.extension === 'las' || source.extension === 'laz') return readPointCloud(file);
  if (source.extension === 'dae' || source.extension === 'collada') return readCollada(file, source);
  if (source.extension === 'pcd') return readPcd(file);
  if (source.extension === '3ds') return readThreeDs(file);
  const scene = source.extension === 'fbx' ? readFbx(file) : source.extension.startsWith('blend') ? readBlend(file) : readByHeader(file);
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

/** Formats that say their version in their first bytes and are otherwise closed to us. */
function readByHeader(file: FileBytes): Record<string, unknown> {
  const head = file.read(0, 512);
  const text = head.toString('latin1');
  const usda = /^#usda (\d+\.\d+)/.exec(text);
  if (usda) return withoutEmpty({ format: 'usda', version: usda[1], up_axis: /upAxis = "([XYZ])"/.exec(text)?.[1]?.toLowerCase() });
  if (text.startsWith('PXR-USDC')) return { format: 'usdc', version: `${head[8]}.${head[9]}` };
  const vrml = /^#VRML V(\d\.\d)/.exec(text);
  if (vrml) return withoutEmpty({ format: 'vrml', version: vrml[1] });
  const sketch = /S\0k\0e\0t\0c\0h\0U\0p\0 \0M\0o\0d\0e\0l\0[\s\S]{0,8}?\{\0((?:[\d.]\0){1,16})\}/.exec(text);
  if (sketch) return { format: 'skp', version: sketch[1]!.replaceAll('\0', '') };
  throw new ExtractError('corrupt', 'The header of the scene is missing.');
}

function readFbx(file: FileBytes): Record<string, unknown> {
  const head = file.read(0, 65_536);
  const text = head.toString('latin1');
  if (text.startsWith('Kaydara FBX Binary')) {
    if (head.length < 27) throw new ExtractError('corrupt', 'The header of the scene is damaged.');
    const creator = /Creator[\s\S]{0,3}S[\s\S]{4}([\x20-\x7e]{3,120})/.exec(text)?.[1];
    return withoutEmpty({ format: 'fbx', binary: true, version: (head.readUInt32LE(23) / 1000).toFixed(1), generator: creator });
  }
  const version = /^\s*FBXVersion:\s*(\d{4})/m.exec(text)?.[1];
  if (version === undefined && !/^;\s*FBX/m.test(text)) throw new ExtractError('corrupt', 'The header of the scene is missing.');
  return withoutEmpty({
    format: 'fbx',
    binary: false,
    version: version && (Number(version) / 1000).toFixed(1),
    generator: /^\s*Creator:\s*"([^"\r\n]{1,120})"/m.exec(text)?.[1],
  });
}
