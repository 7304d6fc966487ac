import { afterAll, describe, expect, it } from 'vitest';
import { makeAvro, makeLas, makeNpy, makeS3m, makeSpss, makeThreeDs } from '../../test/samples/data-headers.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { dataFile } from './database/data-file.ts';
import { sceneFile } from './scene-file.ts';
import { trackerModule } from './tracker-module.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

const damaged = (read: (source: ReturnType<typeof samples.source>) => Promise<unknown>, name: string, bytes: Buffer | string) =>
  expect(read(samples.source(name, bytes)), name).rejects.toMatchObject({ kind: 'corrupt' });

describe('scenes and point clouds', () => {
  it('reads the version of Blender and FBX files', async () => {
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

  it('reads points, bounds and scanner of a LAS file', async () => {
    const { metadata } = await sceneFile.read(samples.source('a.las', makeLas(10)));
    expect(metadata).toMatchObject({
      points: 10,
      bbox: { min: [0, 0, 0], max: [10, 20, 5] },
      bbox_volume: 1000,
      scene: { version: '1.2', system: 'SCANNER', created: '2024-02-01' },
    });
  });

  it('reads the asset element of a COLLADA scene', async () => {
    const text =
      '<COLLADA version="1.4.1"><asset><contributor><author>Ada</author><authoring_tool>Tool 3</authoring_tool></contributor><unit name="meter"/><up_axis>Z_UP</up_axis></asset><library_geometries><geometry/><geometry/></library_geometries></COLLADA>';
    expect((await sceneFile.read(samples.source('a.dae', text))).metadata).toMatchObject({
      author: 'Ada',
      scene: { generator: 'Tool 3', units: 'meter', up_axis: 'z', geometries: 2 },
    });
  });

  it('counts points of a PCD file and faces of a 3D Studio model', async () => {
    const pcd = await sceneFile.read(samples.source('a.pcd', 'VERSION .7\nFIELDS x y z\nWIDTH 4\nHEIGHT 1\nPOINTS 4\nDATA ascii\n0 0 0\n'));
    expect(pcd.metadata).toMatchObject({ points: 4, scene: { format: 'pcd', version: '.7' } });
    expect((await sceneFile.read(samples.source('a.3ds', makeThreeDs(8, 12)))).metadata).toMatchObject({
      vertices: 8,
      triangles: 12,
      mesh_count: 1,
    });
    await damaged(sceneFile.read, 'claims.pcd', 'POINTS 4000000000\nDATA binary\n');
    await damaged(sceneFile.read, 'cut.3ds', makeThreeDs(8, 12).subarray(0, 20));
  });

  it('reads the version of USD and VRML scenes', async () => {
    expect((await sceneFile.read(samples.source('a.usda', '#usda 1.0\n(upAxis = "Z")'))).metadata['scene']).toEqual({
      format: 'usda',
      version: '1.0',
      up_axis: 'z',
    });
    expect((await sceneFile.read(samples.source('a.wrl', '#VRML V2.0 utf8\n'))).metadata['scene']).toEqual({
      format: 'vrml',
      version: '2.0',
    });
  });

  it('rejects files without a header and scans that declare more points than they contain', async () => {
    await damaged(sceneFile.read, 'claims.las', makeLas(10, 4_000_000_000));
    for (const name of ['x.blend', 'x.fbx', 'x.dae', 'x.las']) await damaged(sceneFile.read, name, 'no scene');
  });
});

describe('data files', () => {
  it('reads the shape of an array and the fields of a record', async () => {
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

  it('reports the version of a KeePass database', async () => {
    const vault = Buffer.from('03d9a29a67fb4bb501000400', 'hex');
    expect((await dataFile.read(samples.source('a.kdbx', vault))).metadata['database']).toEqual({
      format: 'kdbx',
      version: '4.1',
      encrypted: true,
    });
  });

  it('detects Access, HDF5 and Arrow files by their signature', async () => {
    const access = Buffer.alloc(64);
    access.write('\0\x01\0\0Standard ACE DB\0\x03', 0, 'latin1');
    expect((await dataFile.read(samples.source('a.accdb', access))).metadata['database']).toEqual({ format: 'accdb', version: '2010' });
    for (const name of ['a.h5', 'a.hdf5', 'a.he5'])
      expect((await dataFile.read(samples.source(name, Buffer.from('\x89HDF\r\n\x1a\n\0', 'latin1')))).metadata['database']).toEqual({
        format: 'hdf5',
        version: '0',
      });
    expect((await dataFile.read(samples.source('a.arrow', 'ARROW1\0\0'))).metadata['database']).toEqual({ format: 'arrow' });
  });

  it('reads statistics files and the protocol version of a pickle', async () => {
    expect((await dataFile.read(samples.source('a.sav', makeSpss(42)))).metadata['database']).toEqual({
      format: 'sav',
      generator: 'SPSS DATA FILE',
      rows: 42,
      title: 'Survey',
    });
    const stata = '<stata_dta><header><release>118</release><byteorder>LSF</byteorder><K>\x03\0</K><N>\x09\0\0\0\0\0\0\0</N>';
    expect((await dataFile.read(samples.source('a.dta', Buffer.from(stata, 'latin1')))).metadata['database']).toEqual({
      format: 'dta',
      version: '118',
      column_count: 3,
      rows: 9,
    });
    expect((await dataFile.read(samples.source('a.pkl', Buffer.from('8004', 'hex')))).metadata['database']).toEqual({
      format: 'pickle',
      version: '4',
    });
  });

  it('rejects files without a header as corrupt', async () => {
    for (const name of ['x.sav', 'x.dta', 'x.pkl', 'x.npy', 'x.avro', 'x.arrow', 'x.h5', 'x.mdb', 'x.kdbx', 'x.orc', 'x.evtx'])
      await damaged(dataFile.read, name, 'something else entirely');
    await damaged(dataFile.read, 'cut.avro', makeAvro({ type: 'record' }).subarray(0, 20));
  });
});

describe('tracker music', () => {
  it('reads title, channels and instrument names', async () => {
    const extracted = await trackerModule.read(samples.source('a.s3m', makeS3m('Night drive', ['bass', 'greetings to all'])));
    expect(extracted).toMatchObject({
      title: 'Night drive',
      bodyText: 'bass\ngreetings to all',
      metadata: { module: { format: 's3m', channels: 4, instruments: ['bass', 'greetings to all'] } },
    });
  });

  it('reads SID music and sound banks', async () => {
    const sid = Buffer.alloc(124);
    sid.write('PSID', 0, 'latin1');
    sid.writeUInt16BE(3, 14);
    sid.write('Delta Run', 22, 'latin1');
    sid.write('A. Composer', 54, 'latin1');
    expect(await trackerModule.read(samples.source('a.sid', sid))).toMatchObject({
      title: 'Delta Run',
      metadata: { module: { songs: 3, instruments: ['A. Composer'] } },
    });
    const bank = Buffer.from('RIFF\x40\0\0\0sfbkLIST\x20\0\0\0INFOINAM\x06\0\0\0Piano\0', 'latin1');
    expect(await trackerModule.read(samples.source('a.sf2', bank))).toMatchObject({ title: 'Piano' });
  });

  it('rejects a file without a header as corrupt', async () => {
    await damaged(trackerModule.read, 'x.it', 'no song');
  });
});
