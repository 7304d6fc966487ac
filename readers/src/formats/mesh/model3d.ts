import { ExtractError, type Extracted, type Extractor, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge, withFileBytes } from '../../input/file-bytes.ts';
import { readGltf } from './gltf.ts';
import { createMeasure, type Measured } from './measure.ts';
import type { MeshFacts, TriangleVisitor } from './mesh.ts';
import { readObj } from './obj.ts';
import { readOff } from './off.ts';
import { readPly } from './ply.ts';
import { readStl } from './stl.ts';
import { readThreeMf } from './three-mf.ts';

export const meshExtensions = ['stl', 'obj', 'ply', 'off', 'gltf', 'gltf2', 'glb', '3mf'] as const;

/** Reads a mesh in one pass. The visitor, if given, receives every triangle in world coordinates. */
export async function readMesh(file: FileBytes, source: Source, visit?: TriangleVisitor): Promise<MeshFacts> {
  if (file.size > source.limits.model3dMaxBytes) throw tooLarge(file.size, source.limits.model3dMaxBytes);
  if (file.size === 0) throw new ExtractError('corrupt', 'The model is empty.');
  switch (source.extension) {
    case 'stl':
      return readStl(file, visit);
    case 'obj':
      return readObj(file, visit);
    case 'ply':
      return readPly(file, visit);
    case 'off':
      return readOff(file, visit);
    case '3mf':
      return readThreeMf(file, source.limits, visit);
    default:
      return readGltf(file, visit);
  }
}

/** Up to this file size, testing for a closed surface is cheap enough for the fast tier. */
const cheapBytes = 8 * 1024 * 1024;

/**
 * Triangle meshes. The fast tier reports counts and bounds, and for small files whether the surface is closed. The accurate tier adds
 * surface area and volume, for files up to a configured size.
 */
export const model3d: Extractor = {
  name: 'model3d',
  version: 1,
  text: false,
  extensions: meshExtensions,
  tools: [],
  keys: [
    ...[
      'triangles',
      'vertices',
      'mesh_count',
      'bbox',
      'bbox_volume',
      'watertight',
      'geometry_tier',
      'file_format',
      'units',
      'surface_area',
    ],
    ...['volume', 'materials', 'animations', 'generator', 'author'],
  ],
  read: (source) =>
    withFileBytes(source, async (file) => {
      const accurate = file.size <= source.limits.model3dAccurateMaxBytes;
      const measure = accurate || file.size <= cheapBytes ? createMeasure() : undefined;
      const facts = await readMesh(file, source, measure?.visit);
      // Without all triangles the measurement would be wrong.
      const measured = measure && !facts.unvisited && facts.triangles > 0 ? measure.finish() : undefined;
      return toExtracted(facts, measured, accurate && measured !== undefined);
    }),
};

function toExtracted(facts: MeshFacts, measured: Measured | undefined, accurate: boolean): Extracted {
  const { min, max, hasPoints: some } = facts.bounds;
  const size = [max[0] - min[0], max[1] - min[1], max[2] - min[2]] as const;
  const metadata: Record<string, unknown> = {
    file_format: facts.format,
    geometry_tier: accurate ? 'accurate' : 'fast',
    triangles: facts.triangles,
    vertices: facts.format === 'stl' && measured ? measured.points : facts.vertices,
    mesh_count: facts.meshes,
  };
  if (some) {
    metadata['bbox'] = { min: [...min], max: [...max], size: [...size] };
    metadata['bbox_volume'] = size[0] * size[1] * size[2];
  }
  if (measured) metadata['watertight'] = measured.watertight;
  if (measured && accurate) {
    metadata['surface_area'] = measured.surfaceArea;
    // Volume is undefined for an open surface.
    if (measured.watertight) metadata['volume'] = measured.volume;
  }
  for (const key of ['units', 'materials', 'animations', 'generator', 'author'] as const) {
    if (facts[key] !== undefined) metadata[key] = facts[key];
  }
  return { metadata, ...(facts.title === undefined || facts.title === '' ? {} : { title: facts.title }) };
}
