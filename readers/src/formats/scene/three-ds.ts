import { ExtractError, type Extracted } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

const containers = new Set([0x4d4d, 0x3d3d, 0x4100]);
const maxChunks = 1_000_000;

/** 3D Studio: a tree of chunks. Points and faces are counted from the heads of their lists. */
export function readThreeDs(file: FileBytes): Extracted {
  const root = file.read(0, 6);
  if (root.length < 6 || root.readUInt16LE(0) !== 0x4d4d) throw new ExtractError('corrupt', 'The header of the model is missing.');
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

/** An object begins with its name, closed by a zero byte. */
function nameBytes(file: FileBytes, at: number): number {
  const end = file.read(at, 64).indexOf(0);
  if (end === -1) throw new ExtractError('corrupt', 'A part of the model is damaged.');
  return end + 1;
}
