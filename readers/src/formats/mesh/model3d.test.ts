import { afterAll, describe, expect, it } from 'vitest';
import * as samplesOf from '../../../test/samples/meshes.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { model3d } from './model3d.ts';
import { createListReader } from './three-mf.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const box = samplesOf.boxMesh(1, 2, 3);
const every = [
  ['binary.stl', samplesOf.makeBinaryStl(box)],
  ['ascii.stl', samplesOf.makeAsciiStl(box)],
  ['a.obj', samplesOf.makeObj(box)],
  ['a.off', samplesOf.makeOff(box)],
  ['ascii.ply', samplesOf.makePly(box, 'ascii')],
  ['little.ply', samplesOf.makePly(box, 'binary_little_endian')],
  ['big.ply', samplesOf.makePly(box, 'binary_big_endian')],
  ['a.glb', samplesOf.makeGlb(box)],
  ['a.gltf', samplesOf.makeGltf(box)],
  ['a.3mf', samplesOf.makeThreeMf(box)],
] as const;

describe('the same box in every format', () => {
  it.each(every)('has the same counts and bounds in %s', async (name, bytes) => {
    const { metadata } = await model3d.read(samples.source(name, bytes));
    expect(metadata).toMatchObject({
      triangles: 12,
      vertices: 8,
      mesh_count: 1,
      watertight: true,
      geometry_tier: 'fast',
      bbox: { min: [0, 0, 0], max: [1, 2, 3], size: [1, 2, 3] },
      bbox_volume: 6,
    });
    expect(metadata['surface_area']).toBeUndefined();
  });

  it.each(every)('has surface and volume in the accurate tier in %s', async (name, bytes) => {
    const { metadata } = await model3d.read(samples.source(name, bytes, { limits: { model3dAccurateMaxBytes: 1e9 } }));
    expect(metadata['geometry_tier']).toBe('accurate');
    expect(metadata['surface_area']).toBeCloseTo(22, 4);
    expect(metadata['volume']).toBeCloseTo(6, 4);
  });
});

describe('metadata of each format', () => {
  const read = async (name: string, bytes: Buffer | string) => model3d.read(samples.source(name, bytes));

  it('reads unit, title and designer of a 3MF and places its items', async () => {
    const items = '<item objectid="1"/><item objectid="1" transform="1 0 0 0 1 0 0 0 1 10 0 0"/>';
    const extracted = await read('two.3mf', samplesOf.makeThreeMf(box, items));
    expect(extracted.title).toBe('Sample part');
    expect(extracted.metadata).toMatchObject({
      units: 'inch',
      author: 'A. Maker',
      triangles: 24,
      mesh_count: 2,
      bbox: { max: [11, 2, 3] },
    });
  });

  it('reads a 3MF with reordered attributes, namespace prefixes or tags split across chunks', async () => {
    const plain = samplesOf.threeMfModel(box);
    const other = plain.replace(/<vertex x="([^"]*)" y="([^"]*)" z="([^"]*)"\/>/g, "<vertex z='$3'\n y = '$2' x='$1' />");
    const prefixed = plain
      .replace(/<(\/?)(model|resources|object|mesh|vertices|vertex|triangles|triangle|build|item)\b/g, '<$1m:$2')
      .replace('xmlns=', 'xmlns:m=');
    for (const model of [plain, other, prefixed]) {
      const { metadata } = await read('other.3mf', samplesOf.packThreeMf(model));
      expect(metadata).toMatchObject({ triangles: 12, vertices: 8, watertight: true, bbox_volume: 6 });
    }
    const found: number[][] = [];
    let text = '';
    const lists = createListReader({
      xml(piece) {
        text += piece;
      },
      vertex: (...point) => void found.push(point),
      triangle: (...corners) => void found.push(corners),
    });
    for (const letter of plain) lists.write(letter);
    lists.end();
    expect(found).toEqual([...box.points, ...box.triangles]);
    expect(text).toBe(plain.replace(/<vertex [^>]*>|<triangle [^>]*>/g, ''));
  });

  it('applies the transforms of a glTF scene', async () => {
    const bytes = samplesOf.makeGlb(box, (document) => {
      document['nodes'] = [
        { children: [1], translation: [5, 0, 0] },
        { mesh: 0, scale: [2, 2, 2] },
      ];
    });
    const { metadata } = await read('moved.glb', bytes);
    expect(metadata).toMatchObject({
      bbox: { min: [5, 0, 0], max: [7, 4, 6] },
      generator: 'sample builder',
      materials: 1,
      watertight: true,
    });
  });

  it('reports counts but no measurements if vertex data is in another file', async () => {
    const text = samplesOf.makeGltf(box).replace(/data:[^"]+/, '../../../etc/passwd');
    const { metadata } = await read('outside.gltf', text);
    expect(metadata).toMatchObject({ triangles: 12, bbox_volume: 6 });
    expect(metadata['watertight']).toBeUndefined();
  });

  it('reports an open box as not watertight and without volume', async () => {
    const open = { points: box.points, triangles: box.triangles.slice(2) };
    const { metadata } = await model3d.read(
      samples.source('open.stl', samplesOf.makeBinaryStl(open), { limits: { model3dAccurateMaxBytes: 1e9 } }),
    );
    expect(metadata['watertight']).toBe(false);
    expect(metadata['volume']).toBeUndefined();
  });

  it('reads polygons, negative indices and joined lines of an OBJ', async () => {
    const { metadata } = await read('quad.obj', 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 \\\n -2 -1\n');
    expect(metadata).toMatchObject({ triangles: 2, vertices: 4, watertight: false });
  });

  it('measures a ring of many triangles', async () => {
    const ring = samplesOf.ringMesh(3, 1, 200, 100);
    const { metadata } = await model3d.read(
      samples.source('ring.stl', samplesOf.makeBinaryStl(ring), { limits: { model3dAccurateMaxBytes: 1e9 } }),
    );
    expect(metadata).toMatchObject({ triangles: 40_000, vertices: 20_000, watertight: true });
    expect(metadata['volume'] as number).toBeCloseTo(2 * Math.PI ** 2 * 3, 0);
  });
});

describe('hostile models', () => {
  const refused = async (name: string, bytes: Buffer | string, kind: string, limits = {}) =>
    expect(model3d.read(samples.source(name, bytes, { limits })), name).rejects.toMatchObject({ kind });

  it('rejects models that declare billions of triangles as corrupt', async () => {
    await refused('claims.stl', samplesOf.makeBinaryStl(box, 4_000_000_000), 'corrupt');
    await refused('claims.ply', samplesOf.makePly(box, 'binary_little_endian', 3_000_000_000), 'corrupt');
    await refused('claims.off', 'OFF\n4000000000 4000000000 0\n0 0 0\n', 'corrupt');
  });

  it('rejects faces that refer to missing points as corrupt', async () => {
    const broken = { points: box.points, triangles: [[0, 1, 99]] as [number, number, number][] };
    for (const [name, bytes] of [
      ['b.obj', samplesOf.makeObj(broken)],
      ['b.ply', samplesOf.makePly(broken, 'ascii')],
      ['b.off', samplesOf.makeOff(broken)],
      ['b.glb', samplesOf.makeGlb(broken)],
      ['b.3mf', samplesOf.makeThreeMf(broken)],
    ] as const) {
      await refused(name, bytes, 'corrupt');
    }
  });

  it('rejects node cycles and files over the limit as guards', async () => {
    const cycle = samplesOf.makeGlb(box, (document) => {
      document['nodes'] = [{ children: [0, 0], mesh: 0 }];
    });
    await refused('cycle.glb', cycle, 'guard');
    await refused('large.stl', samplesOf.makeBinaryStl(box), 'guard', { model3dMaxBytes: 100 });
    await refused('long.obj', `v ${'1'.repeat(3 << 20)}`, 'guard');
  });

  it('reads every truncated file or rejects it as corrupt', async () => {
    for (const [name, bytes] of every) {
      const whole = Buffer.from(bytes);
      for (let part = 0; part < 8; part++) {
        const cut = whole.subarray(0, Math.floor((whole.length * part) / 8));
        await model3d.read(samples.source(name, cut)).catch((error: unknown) => expect(error).toMatchObject({ kind: 'corrupt' }));
      }
    }
  });
});
