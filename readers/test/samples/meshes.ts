/** Builders of the same small models in every mesh format. */
import { makeZip } from './archives.ts';

interface SampleMesh {
  points: [number, number, number][];
  triangles: [number, number, number][];
}

/** A closed box with one corner at the origin. */
export function boxMesh(x = 1, y = 2, z = 3): SampleMesh {
  const points: SampleMesh['points'] = [];
  for (let i = 0; i < 8; i++) points.push([i & 1 ? x : 0, i & 2 ? y : 0, i & 4 ? z : 0]);
  const quads = [
    [0, 2, 3, 1],
    [4, 5, 7, 6],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 4, 6, 2],
    [1, 3, 7, 5],
  ] as const;
  const triangles = quads.flatMap(([a, b, c, d]): SampleMesh['triangles'] => [
    [a, b, c],
    [a, c, d],
  ]);
  return { points, triangles };
}

/** A torus. */
export function ringMesh(radius = 3, tube = 1, around = 48, across = 24): SampleMesh {
  const points: SampleMesh['points'] = [];
  const triangles: SampleMesh['triangles'] = [];
  for (let i = 0; i < around; i++) {
    for (let j = 0; j < across; j++) {
      const u = (i / around) * 2 * Math.PI;
      const v = (j / across) * 2 * Math.PI;
      points.push([(radius + tube * Math.cos(v)) * Math.cos(u), (radius + tube * Math.cos(v)) * Math.sin(u), tube * Math.sin(v)]);
      const a = i * across + j;
      const b = ((i + 1) % around) * across + j;
      const c = ((i + 1) % around) * across + ((j + 1) % across);
      const d = i * across + ((j + 1) % across);
      triangles.push([a, b, c], [a, c, d]);
    }
  }
  return { points, triangles };
}

export function makeBinaryStl(mesh: SampleMesh, declared = mesh.triangles.length): Buffer {
  const bytes = Buffer.alloc(84 + mesh.triangles.length * 50);
  bytes.write('made by a sample builder', 0, 'latin1');
  bytes.writeUInt32LE(declared, 80);
  mesh.triangles.forEach((triangle, index) => {
    triangle.forEach((point, corner) => {
      mesh.points[point]!.forEach((value, axis) => {
        bytes.writeFloatLE(value, 84 + index * 50 + 12 + corner * 12 + axis * 4);
      });
    });
  });
  return bytes;
}

export function makeAsciiStl(mesh: SampleMesh): string {
  const facets = mesh.triangles.map(
    (triangle) =>
      `facet normal 0 0 0\n outer loop\n${triangle.map((p) => `  vertex ${mesh.points[p]!.join(' ')}`).join('\n')}\n endloop\nendfacet`,
  );
  return `solid sample part\n${facets.join('\n')}\nendsolid sample part\n`;
}

export function makeObj(mesh: SampleMesh): string {
  const points = mesh.points.map((p) => `v ${p.join(' ')}`);
  const faces = mesh.triangles.map((t) => `f ${t.map((i) => `${i + 1}//1`).join(' ')}`);
  return ['# sample', 'mtllib ../../etc/passwd', 'o part', ...points, 'usemtl red', ...faces, ''].join('\n');
}

export function makeOff(mesh: SampleMesh): string {
  const lines = ['OFF', '# sample', `${mesh.points.length} ${mesh.triangles.length} 0`];
  return [...lines, ...mesh.points.map((p) => p.join(' ')), ...mesh.triangles.map((t) => `3 ${t.join(' ')}`), ''].join('\n');
}

export function makePly(
  mesh: SampleMesh,
  encoding: 'ascii' | 'binary_little_endian' | 'binary_big_endian',
  declaredFaces?: number,
): Buffer {
  const header = [
    ...['ply', `format ${encoding} 1.0`, 'comment sample builder', `element vertex ${mesh.points.length}`],
    ...['property float x', 'property float y', 'property float z', 'property uchar red'],
    ...[`element face ${declaredFaces ?? mesh.triangles.length}`, 'property list uchar int vertex_indices', 'end_header', ''],
  ].join('\n');
  if (encoding === 'ascii') {
    const body = [...mesh.points.map((p) => `${p.join(' ')} 200`), ...mesh.triangles.map((t) => `3 ${t.join(' ')}`), ''].join('\n');
    return Buffer.from(header + body);
  }
  const little = encoding === 'binary_little_endian';
  const body = Buffer.alloc(mesh.points.length * 13 + mesh.triangles.length * 13);
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  mesh.points.forEach((p, i) => {
    p.forEach((value, axis) => {
      view.setFloat32(i * 13 + axis * 4, value, little);
    });
  });
  mesh.triangles.forEach((t, i) => {
    const at = mesh.points.length * 13 + i * 13;
    view.setUint8(at, 3);
    t.forEach((value, corner) => {
      view.setInt32(at + 1 + corner * 4, value, little);
    });
  });
  return Buffer.concat([Buffer.from(header), body]);
}

/** The JSON and binary parts of a glTF model with one node. */
function gltfParts(mesh: SampleMesh): { document: Record<string, unknown>; binary: Buffer } {
  const points = Buffer.alloc(mesh.points.length * 12);
  mesh.points.flat().forEach((value, i) => {
    points.writeFloatLE(value, i * 4);
  });
  const indices = Buffer.alloc(mesh.triangles.length * 12);
  mesh.triangles.flat().forEach((value, i) => {
    indices.writeUInt32LE(value, i * 4);
  });
  const axis = (pick: (...values: number[]) => number): number[] => [0, 1, 2].map((a) => pick(...mesh.points.map((p) => p[a]!)));
  const document = {
    asset: { version: '2.0', generator: 'sample builder' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }] as Record<string, unknown>[],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    materials: [{}],
    accessors: [
      { bufferView: 0, componentType: 5126, count: mesh.points.length, type: 'VEC3', min: axis(Math.min), max: axis(Math.max) },
      { bufferView: 1, componentType: 5125, count: mesh.triangles.length * 3, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: points.length },
      { buffer: 0, byteOffset: points.length, byteLength: indices.length },
    ],
    buffers: [{ byteLength: points.length + indices.length }] as Record<string, unknown>[],
  };
  return { document, binary: Buffer.concat([points, indices]) };
}

export function makeGlb(mesh: SampleMesh, change: (document: Record<string, unknown>) => void = () => {}): Buffer {
  const { document, binary } = gltfParts(mesh);
  change(document);
  const json = Buffer.from(JSON.stringify(document));
  const padded = Buffer.concat([json, Buffer.alloc((4 - (json.length % 4)) % 4, 0x20)]);
  const chunk = (type: number, bytes: Buffer): Buffer => {
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length, 0);
    head.writeUInt32LE(type, 4);
    return Buffer.concat([head, bytes]);
  };
  const body = Buffer.concat([chunk(0x4e4f534a, padded), chunk(0x004e4942, binary)]);
  const head = Buffer.alloc(12);
  head.write('glTF', 0, 'latin1');
  head.writeUInt32LE(2, 4);
  head.writeUInt32LE(12 + body.length, 8);
  return Buffer.concat([head, body]);
}

export function makeGltf(mesh: SampleMesh): string {
  const { document, binary } = gltfParts(mesh);
  document['buffers'] = [{ byteLength: binary.length, uri: `data:application/octet-stream;base64,${binary.toString('base64')}` }];
  return JSON.stringify(document);
}

/** The model XML of a 3MF file. */
export function threeMfModel(mesh: SampleMesh, items = '<item objectid="1"/>'): string {
  const vertices = mesh.points.map(([x, y, z]) => `<vertex x="${x}" y="${y}" z="${z}"/>`).join('');
  const triangles = mesh.triangles.map(([a, b, c]) => `<triangle v1="${a}" v2="${b}" v3="${c}"/>`).join('');
  return `<?xml version="1.0"?><model unit="inch" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><metadata name="Title">Sample part</metadata>
<metadata name="Designer">A. Maker</metadata><resources><object id="1" type="model"><mesh><vertices>${vertices}</vertices><triangles>${triangles}</triangles></mesh></object></resources>
<build>${items}</build></model>`;
}

export function packThreeMf(model: string): Buffer {
  return makeZip([
    { name: '[Content_Types].xml', data: '<Types/>' },
    { name: '3D/3dmodel.model', data: model },
  ]);
}

export function makeThreeMf(mesh: SampleMesh, items?: string): Buffer {
  return packThreeMf(threeMfModel(mesh, items));
}
