import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { type FileBytes, fileChunks, tooLarge, withFileBytes } from '../input/file-bytes.ts';
import { createXmlReader } from '../input/xml.ts';
import { withoutEmpty } from './result.ts';
import { fixedField } from './text/text-file.ts';

/** 3D scenes and point clouds, described by their headers. Geometry is not evaluated. */
export const sceneFile: Extractor = {
  name: 'scene',
  version: 1,
  text: false,
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

/** Blender states its version in the first bytes. Of a compressed file, only that it is compressed is reported. */
function readBlend(file: FileBytes): Record<string, unknown> {
  const head = file.read(0, 17);
  const header = /^BLENDER(?:\d\d)?[_-](?:\d\d)?[vV](\d{3,4})/.exec(head.toString('latin1'));
  if (header) {
    const digits = Number(header[1]);
    return { format: 'blend', version: `${Math.floor(digits / 100)}.${digits % 100}`, compressed: false };
  }
  const compressed = (head[0] === 0x1f && head[1] === 0x8b) || (head.length >= 4 && head.readUInt32LE(0) === 0xfd2fb528);
  if (compressed) return { format: 'blend', compressed: true };
  throw new ExtractError('corrupt', 'The scene has no valid header.');
}

/** Proprietary formats of which only the version is read. */
function readByHeader(file: FileBytes): Record<string, unknown> {
  const head = file.read(0, 512);
  const text = head.toString('latin1');
  const usda = /^#usda (\d+\.\d+)/.exec(text);
  if (usda) return withoutEmpty({ format: 'usda', version: usda[1], up_axis: /upAxis = "([XYZ])"/.exec(text)?.[1]?.toLowerCase() });
  if (text.startsWith('PXR-USDC')) return { format: 'usdc', version: `${head[8]}.${head[9]}` };
  const vrml = /^#VRML V(\d\.\d)/.exec(text);
  if (vrml) return withoutEmpty({ format: 'vrml', version: vrml[1] });
  const sketch = /S\0k\0e\0t\0c\0h\0U\0p\0 \0M\0o\0d\0e\0l\0[\s\S]{0,8}?\{\0((?:[\d.]\0){1,16})\}/.exec(text);
  if (sketch) return { format: 'skp', version: sketch[1]?.replaceAll('\0', '') };
  throw new ExtractError('corrupt', 'The scene has no valid header.');
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
  if (version === undefined && !/^;\s*FBX/m.test(text)) throw new ExtractError('corrupt', 'The scene has no valid header.');
  return withoutEmpty({
    format: 'fbx',
    binary: false,
    version: version && (Number(version) / 1000).toFixed(1),
    generator: /^\s*Creator:\s*"([^"\r\n]{1,120})"/m.exec(text)?.[1],
  });
}

/** COLLADA: the asset element and the number of geometries and animations. */
function readCollada(file: FileBytes, source: Source): Extracted {
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
  if (root !== 'COLLADA') throw new ExtractError('corrupt', 'The file is not a COLLADA scene.');
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

/** LAS and LAZ point clouds (same header): number of points, bounds and scanner. */
function readPointCloud(file: FileBytes): Extracted {
  const head = file.read(0, 375);
  if (head.length < 227 || head.toString('latin1', 0, 4) !== 'LASF') throw new ExtractError('corrupt', 'The scan has no valid header.');
  const [major, minor] = [head.readUInt8(24), head.readUInt8(25)];
  const wide = major === 1 && minor >= 4 && head.length >= 255;
  const points = wide ? Number(head.readBigUInt64LE(247)) : head.readUInt32LE(107);
  // The top bits of the point format mark a LAZ file.
  const compressed = (head.readUInt8(104) & 0xc0) !== 0;
  const recordBytes = head.readUInt16LE(105);
  if (!compressed && points * recordBytes > file.size - head.readUInt32LE(96))
    throw new ExtractError('corrupt', 'The scan declares more points than the file contains.');
  const number = (at: number): number => head.readDoubleLE(at);
  const max = [number(179), number(195), number(211)];
  const min = [number(187), number(203), number(219)];
  const size = max.map((high, axis) => high - (min[axis] ?? Number.NaN));
  const valid = size.every((length) => Number.isFinite(length) && length >= 0);
  const [day, year] = [head.readUInt16LE(90), head.readUInt16LE(92)];
  const created =
    year > 1990 && year < 2200 && day >= 1 && day <= 366 ? new Date(Date.UTC(year, 0, day)).toISOString().slice(0, 10) : undefined;
  return {
    metadata: {
      file_format: compressed ? 'laz' : 'las',
      scene: withoutEmpty({
        format: compressed ? 'laz' : 'las',
        version: `${major}.${minor}`,
        compressed: compressed,
        system: fixedField(head.subarray(26, 58)),
        generator: fixedField(head.subarray(58, 90)),
        created,
      }),
      points,
      ...(valid ? { bbox: { min, max, size }, bbox_volume: size.reduce((volume, length) => volume * length) } : {}),
    },
  };
}

/** Point Cloud Library (pcd): the header is always text. */
function readPcd(file: FileBytes): Extracted {
  const text = file.read(0, 8192).toString('latin1');
  const pick = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.trim();
  const points = Number(pick(/^POINTS (\d+)/m));
  const body = pick(/^DATA (ascii|binary|binary_compressed)\b/m);
  if (!Number.isSafeInteger(points) || body === undefined) throw new ExtractError('corrupt', 'The scan has no valid header.');
  // In uncompressed files every point needs at least one byte.
  if (body !== 'binary_compressed' && points > file.size)
    throw new ExtractError('corrupt', 'The scan declares more points than the file contains.');
  return {
    metadata: {
      file_format: 'pcd',
      scene: withoutEmpty({ format: 'pcd', version: pick(/^VERSION (\S{1,10})/m), compressed: body === 'binary_compressed' }),
      points,
    },
  };
}

const containers = new Set([0x4d4d, 0x3d3d, 0x4100]);
const maxChunks = 1_000_000;

/** 3D Studio (3ds): a tree of chunks. Counts come from the start of the vertex and face lists. */
function readThreeDs(file: FileBytes): Extracted {
  const root = file.read(0, 6);
  if (root.length < 6 || root.readUInt16LE(0) !== 0x4d4d) throw new ExtractError('corrupt', 'The model has no valid header.');
  const facts = { triangles: 0, vertices: 0, mesh_count: 0 };
  const end = Math.min(file.size, root.readUInt32LE(2));
  let seen = 0;
  const walk = (from: number, to: number, depth: number): void => {
    for (let at = from; at + 6 <= to; ) {
      if (++seen > maxChunks || depth > 8) throw new ExtractError('guard', 'The model has too many parts.');
      const head = file.need(at, 6);
      const kind = head.readUInt16LE(0);
      const next = at + head.readUInt32LE(2);
      if (next <= at + 5 || next > to) throw new ExtractError('corrupt', 'A part of the model is damaged.');
      if (containers.has(kind)) walk(at + 6, next, depth + 1);
      else if (kind === 0x4000) walk(at + 6 + nameBytes(file, at + 6), next, depth + 1);
      else if (kind === 0x4110 && next >= at + 8) {
        facts.vertices += file.need(at + 6, 2).readUInt16LE(0);
        facts.mesh_count++;
      } else if (kind === 0x4120 && next >= at + 8) facts.triangles += file.need(at + 6, 2).readUInt16LE(0);
      at = next;
    }
  };
  walk(6, end, 0);
  return { metadata: { file_format: '3ds', scene: { format: '3ds' }, ...facts } };
}

/** The length of a zero-terminated object name, including the zero. */
function nameBytes(file: FileBytes, at: number): number {
  const end = file.read(at, 64).indexOf(0);
  if (end === -1) throw new ExtractError('corrupt', 'A part of the model is damaged.');
  return end + 1;
}
