import { ExtractError, type Source } from '../../contract.ts';
import { type FileBytes, tooLarge } from '../../input/file-bytes.ts';
import { readGltf } from './gltf.ts';
import type { MeshFacts, TriangleVisitor } from './mesh.ts';
import { readObj } from './obj.ts';
import { readOff } from './off.ts';
import { readPly } from './ply.ts';
import { readStl } from './stl.ts';
import { readThreeMf } from './three-mf.ts';

export const meshExtensions = ['stl', 'obj', 'ply', 'off', 'gltf', 'gltf2', 'glb', '3mf'] as const;

/** Reads a mesh in one pass; the visitor, if any, is shown every triangle in world coordinates. */
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
