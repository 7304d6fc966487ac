/** Meshes that declare more triangles than they have. */
import { boxMesh, makeBinaryStl, makeGlb } from '../../samples/meshes.ts';
import { u32le } from '../../samples/sample.ts';
import type { HostileCase } from '../hostile-case.ts';

export const meshes: HostileCase[] = [
  {
    family: 'meshes',
    name: 'STL of 4 billion triangles',
    filename: 'claim.stl',
    build: () => makeBinaryStl(boxMesh(), 0xffffffff),
    endings: ['corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'PLY of 9 billion vertices',
    filename: 'claim.ply',
    build: () =>
      Buffer.from(
        'ply\nformat binary_little_endian 1.0\nelement vertex 9000000000\nproperty float x\nproperty float y\nproperty float z\nelement face 9000000000\nproperty list uchar int vertex_indices\nend_header\n',
      ),
    endings: ['corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'OFF of 9 billion faces',
    filename: 'claim.off',
    build: () => Buffer.from('OFF\n9000000000 9000000000 0\n0 0 0\n'),
    endings: ['corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'OBJ whose faces name no points',
    filename: 'claim.obj',
    build: () => Buffer.from('v 0 0 0\nf 999999999 999999998 999999997\n'.repeat(1000)),
    endings: ['result', 'corrupt', 'guard'],
  },
  {
    family: 'meshes',
    name: 'glTF of 9 billion vertices',
    filename: 'claim.glb',
    build: () =>
      makeGlb(boxMesh(), (document) => {
        for (const accessor of document['accessors'] as { count: number }[]) accessor.count = 9_000_000_000;
      }),
    endings: ['corrupt', 'guard', 'result'],
  },
  {
    family: 'meshes',
    name: 'glTF that cuts its own text',
    filename: 'cut.glb',
    build: () => Buffer.concat([Buffer.from('glTF'), u32le(2), u32le(0xffffffff), u32le(0xfffffff0), Buffer.from('JSON{')]),
    endings: ['corrupt', 'guard'],
  },
];
