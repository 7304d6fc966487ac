import { afterAll, describe, expect, it } from 'vitest';
import { makeAvro, makeLas, makeNpy, makeS3m } from '../../../../test/samples/data-headers.ts';
import { openSampleFolder } from '../../../../test/samples/source.ts';
import { dataFile } from './data/data-file.ts';
import { trackerModule } from './music/tracker-module.ts';
import { sceneFile } from './scene/scene-file.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const damaged = (read: (source: ReturnType<typeof samples.source>) => Promise<unknown>, name: string, bytes: Buffer | string) =>
  expect(read(samples.source(name, bytes)), name).rejects.toMatchObject({ kind: 'corrupt' });

describe('scenes and scans', () => {
  it('gives the version of Blender and FBX files', async () => {
    expect((await sceneFile.read(samples.source('a.blend', 'BLENDER-v404 and more'))).metadata['scene']).toEqual({
      format: 'blend',
      version: '4.4',
      compressed: false,
    });
    const fbx = Buffer.alloc(64);
    fbx.write('Kaydara FBX Binary  \0\x1a\0', 0, 'latin1');
    fbx.writeUInt32LE(7400, 23);
    expect((await sceneFile.read(samples.source('a.fbx', fbx))).metadata['scene']).toMatchObject({ binary: true, version: '7.4' });
  });

  it('gives points, bounds and system of a laser scan', async () => {
    const { metadata } = await sceneFile.read(samples.source('a.las', makeLas(10)));
    expect(metadata).toMatchObject({
      points: 10,
      bbox: { min: [0, 0, 0], max: [10, 20, 5] },
      bbox_volume: 1000,
      scene: { version: '1.2', system: 'SCANNER', created: '2024-02-01' },
    });
  });

  it('reads the description of a COLLADA scene', async () => {
    const text =
      '<COLLADA version="1.4.1"><asset><contributor><author>Ada</author><authoring_tool>Tool 3</authoring_tool></contributor><unit name="meter"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry/><geometry/></library_geometries></COLLADA>';
    expect((await sceneFile.read(samples.source('a.dae', text))).metadata).toMatchObject({
      author: 'Ada',
      scene: { generator: 'Tool 3', units: 'meter', up_axis: 'z', geometries: 2 },
    });
  });

  it('calls a scan that states more points than it holds corrupt, like every file without its header', async () => {
    await damaged(sceneFile.read, 'claims.las', makeLas(10, 4_000_000_000));
    for (const name of ['x.blend', 'x.fbx', 'x.dae', 'x.las']) await damaged(sceneFile.read, name, 'no scene');
  });
});

describe('arrays, columns and vaults', () => {
  it('gives the shape of an array and the fields of a record', async () => {
    expect((await dataFile.read(samples.source('a.npy', makeNpy([3, 4])))).metadata['database']).toEqual({
      format: 'npy',
      version: '1.0',
      shape: [3, 4],
      type: '<f4',
      values: 12,
    });
    const avro = await dataFile.read(
      samples.source('a.avro', makeAvro({ type: 'record', name: 'Sale', fields: [{ name: 'price', type: ['null', 'double'] }] })),
    );
    expect(avro.metadata['database']).toEqual({
      format: 'avro',
      name: 'Sale',
      columns: [{ name: 'price', type: 'null | double' }],
      column_count: 1,
      codec: 'null',
    });
  });

  it('says that a password vault is locked and which version it has', async () => {
    const vault = Buffer.from('03d9a29a67fb4bb501000400', 'hex');
    expect((await dataFile.read(samples.source('a.kdbx', vault))).metadata['database']).toEqual({
      format: 'kdbx',
      version: '4.1',
      encrypted: true,
    });
  });

  it('knows Access, HDF5 and Arrow files by their first bytes', async () => {
    const access = Buffer.alloc(64);
    access.write('\0\x01\0\0Standard ACE DB\0\x03', 0, 'latin1');
    expect((await dataFile.read(samples.source('a.accdb', access))).metadata['database']).toEqual({ format: 'accdb', version: '2010' });
    expect((await dataFile.read(samples.source('a.h5', Buffer.from('\x89HDF\r\n\x1a\n\0', 'latin1')))).metadata['database']).toEqual({
      format: 'hdf5',
      version: '0',
    });
    expect((await dataFile.read(samples.source('a.arrow', 'ARROW1\0\0'))).metadata['database']).toEqual({ format: 'arrow' });
  });

  it('calls files without their header corrupt', async () => {
    for (const name of ['x.npy', 'x.avro', 'x.arrow', 'x.h5', 'x.mdb', 'x.kdbx', 'x.orc', 'x.evtx'])
      await damaged(dataFile.read, name, 'something else entirely');
    await damaged(dataFile.read, 'cut.avro', makeAvro({ type: 'record' }).subarray(0, 20));
  });
});

describe('tracker music', () => {
  it('gives title, channels and the names of instruments', async () => {
    const extracted = await trackerModule.read(samples.source('a.s3m', makeS3m('Night drive', ['bass', 'greetings to all'])));
    expect(extracted).toMatchObject({
      title: 'Night drive',
      bodyText: 'bass\ngreetings to all',
      metadata: { module: { format: 's3m', channels: 4, instruments: ['bass', 'greetings to all'] } },
    });
  });

  it('calls a file without its header corrupt', async () => {
    await damaged(trackerModule.read, 'x.it', 'no song');
  });
});
