/** Builders of small data files: medical images, arrays, records, tracker modules. */
import { deflateSync } from 'node:zlib';
import { makeZip } from './archives.ts';
import { type Sample, u32be } from './sample.ts';

export function makeLas(points: number, declared = points): Buffer {
  const head = Buffer.alloc(227);
  head.write('LASF', 0, 'latin1');
  head.set([1, 2], 24);
  head.write('SCANNER', 26, 'latin1');
  head.writeUInt16LE(32, 90);
  head.writeUInt16LE(2024, 92);
  head.writeUInt32LE(227, 96);
  head.writeUInt16LE(20, 105);
  head.writeUInt32LE(declared, 107);
  [10, 0, 20, 0, 5, 0].forEach((value, i) => {
    head.writeDoubleLE(value, 179 + i * 8);
  });
  return Buffer.concat([head, Buffer.alloc(points * 20)]);
}

export function makeNpy(shape: number[]): Buffer {
  const text = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(', ')}), }\n`;
  const head = Buffer.from('\x93NUMPY\x01\0\0\0', 'latin1');
  head.writeUInt16LE(text.length, 8);
  return Buffer.concat([head, Buffer.from(text), Buffer.alloc(shape.reduce((a, b) => a * b, 4))]);
}

export function makeAvro(schema: object): Buffer {
  const long = (value: number): number[] => {
    const out: number[] = [];
    for (let left = value * 2; ; left = Math.floor(left / 128)) {
      if (left < 128) return [...out, left];
      out.push((left % 128) | 0x80);
    }
  };
  const text = (value: string): Buffer => Buffer.concat([Buffer.from(long(Buffer.byteLength(value))), Buffer.from(value)]);
  const pairs = [text('avro.schema'), text(JSON.stringify(schema)), text('avro.codec'), text('null')];
  return Buffer.concat([Buffer.from('Obj\x01', 'latin1'), Buffer.from(long(2)), ...pairs, Buffer.from([0]), Buffer.alloc(16, 7)]);
}

export function makeS3m(title: string, instruments: string[]): Buffer {
  const head = Buffer.alloc(96, 0);
  head.write(title, 0, 'latin1');
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(instruments.length, 34);
  head.writeUInt16LE(1, 36);
  head.write('SCRM', 44, 'latin1');
  head.fill(255, 64, 96);
  head.set([0, 8, 1, 9], 64);
  const table = Buffer.alloc(2 + instruments.length * 2);
  const first = Math.ceil((96 + table.length) / 16);
  const bodies = instruments.map((name, i) => {
    table.writeUInt16LE(first + i * 5, 2 + i * 2);
    const body = Buffer.alloc(80);
    body.write(name, 48, 'latin1');
    return body;
  });
  return Buffer.concat([head, table, Buffer.alloc(first * 16 - 96 - table.length), ...bodies]);
}

export function makeSpss(cases: number): Buffer {
  const head = Buffer.alloc(176, 0x20);
  head.write('$FL2@(#) SPSS DATA FILE', 0, 'latin1');
  head.writeInt32LE(2, 64);
  head.writeInt32LE(cases, 80);
  head.write('Survey', 109, 'latin1');
  return head;
}

export function makeThreeDs(points: number, faces: number): Buffer {
  const chunk = (kind: number, ...parts: Buffer[]): Buffer => {
    const body = Buffer.concat(parts);
    const head = Buffer.alloc(6);
    head.writeUInt16LE(kind, 0);
    head.writeUInt32LE(body.length + 6, 2);
    return Buffer.concat([head, body]);
  };
  const counted = (count: number, each: number): Buffer => {
    const body = Buffer.alloc(2 + count * each);
    body.writeUInt16LE(count, 0);
    return body;
  };
  const mesh = chunk(0x4100, chunk(0x4110, counted(points, 12)), chunk(0x4120, counted(faces, 8)));
  return chunk(0x4d4d, chunk(0x3d3d, chunk(0x4000, Buffer.from('box\0', 'latin1'), mesh)));
}

/** NetCDF 1 with one dimension, a title and one variable. */
function makeNetCdf(title: string): Buffer {
  const u32 = (...values: number[]): Buffer => Buffer.concat(values.map(u32be));
  const text = (value: string): Buffer =>
    Buffer.concat([u32be(value.length), Buffer.from(value), Buffer.alloc((4 - (value.length % 4)) % 4)]);
  const dimensions = Buffer.concat([u32(10, 1), text('time'), u32(12)]);
  const attributes = Buffer.concat([u32(12, 1), text('title'), u32(2), text(title)]);
  const variable = Buffer.concat([text('temperature'), u32(1, 0), u32(0, 0), u32(5, 48, 200)]);
  return Buffer.concat([Buffer.from('CDF\x01'), u32(0), dimensions, attributes, u32(11, 1), variable, Buffer.alloc(48)]);
}

/** Two messages of GRIB 2 of 5 November 2008. */
function makeGrib(): Buffer {
  const message = Buffer.alloc(64);
  message.write('GRIB', 0, 'latin1');
  message[7] = 2;
  message.writeBigUInt64BE(64n, 8);
  message.writeUInt16BE(2008, 28);
  message.set([11, 5, 6, 30], 30);
  return Buffer.concat([message, message]);
}

/** A MATLAB file with a packed variable `speed` and a plain one `x`. */
function makeMatlab(): Buffer {
  const u32 = (...values: number[]): Buffer => Buffer.from(Uint32Array.from(values).buffer);
  const matrix = (...name: Buffer[]): Buffer => {
    const body = Buffer.concat([u32(6, 8, 6, 0), u32(5, 8, 1, 1), ...name]);
    return Buffer.concat([u32(14, body.length), body]);
  };
  const head = Buffer.alloc(128, 0x20);
  head.write('MATLAB 5.0 MAT-file, Platform: GLNXA64, Created on: Mon Nov  2 10:00:00 2009', 0, 'latin1');
  head.writeUInt16LE(0x0100, 124);
  head.write('IM', 126, 'latin1');
  const packed = deflateSync(matrix(u32(1, 5), Buffer.from('speed\0\0\0')));
  return Buffer.concat([head, u32(15, packed.length), packed, matrix(u32((1 << 16) | 1), Buffer.from('x\0\0\0'))]);
}

function makeSas(name: string): Buffer {
  const head = Buffer.alloc(1024);
  Buffer.from('c2ea8160b31411cfbd92080009c7318c181f1011', 'hex').copy(head, 12);
  head[37] = 1;
  head.write(name, 92, 'latin1');
  head.writeDoubleLE(315_619_200 + 1_600_000_000, 164);
  head.writeUInt32LE(3, 204);
  head.write('9.0401M2', 216, 'latin1');
  return head;
}

/** An E57 file with pages of 64 bytes, so that the checksums lie inside its description. */
function makeE57(points: number): Buffer {
  const xml = Buffer.from(
    `<e57Root><data3D><vectorChild><points type="CompressedVector" recordCount="${points}"/></vectorChild></data3D></e57Root>`,
  );
  const head = Buffer.alloc(64);
  head.write('ASTM-E57', 0, 'latin1');
  head.writeUInt32LE(1, 8);
  [64, xml.length, 64].forEach((value, i) => {
    head.writeBigUInt64LE(BigInt(value), 24 + i * 8);
  });
  const pages: Buffer[] = [head];
  for (let at = 0; at < xml.length; at += 60) pages.push(Buffer.concat([xml.subarray(at, at + 60), Buffer.alloc(4, 0xcc)]));
  return Buffer.concat(pages);
}

/** A drawing of MicroStation 7 in three dimensions, measured in metres. */
function makeDgn(): Buffer {
  const head = Buffer.alloc(1536);
  Buffer.from('c809fe02', 'hex').copy(head);
  head.write('m', 1120, 'latin1');
  return head;
}

// biome-ignore format: one sample per line is easier to scan.
export const dataHeaderSamples: readonly Sample[] = [
  { extractor: 'scene', filename: 'scan.las', build: () => makeLas(10), expected: { points: 10 } },
  { extractor: 'scene', filename: 'box.3ds', build: () => makeThreeDs(8, 12), expected: { triangles: 12 } },
  { extractor: 'data', filename: 'survey.sav', build: () => makeSpss(42), expected: { database: { rows: 42 } } },
  { extractor: 'data', filename: 'array.npy', build: () => makeNpy([3, 4]), expected: { database: { values: 12 } } },
  { extractor: 'data', filename: 'sales.avro', build: () => makeAvro({ type: 'record', name: 'Sale', fields: [] }), expected: { database: { name: 'Sale' } } },
  { extractor: 'data', filename: 'climate.nc', build: () => makeNetCdf('Climate run'), expected: { database: { title: 'Climate run', shape: [12], column_count: 1 } } },
  { extractor: 'data', filename: 'forecast.grb2', build: () => makeGrib(), expected: { database: { records: 2, created: '2008-11-05T06:30:00.000Z' } } },
  { extractor: 'data', filename: 'radar.mat', build: () => makeMatlab(), expected: { database: { columns: [{ name: 'speed' }, { name: 'x' }] } } },
  { extractor: 'data', filename: 'study.sas7bdat', build: () => makeSas('STUDY'), expected: { database: { name: 'STUDY', created: '2020-09-13T12:26:40.000Z', version: '9.0401M2' } } },
  { extractor: 'image', filename: 'leaf.bpg', build: () => Buffer.concat([Buffer.from('425047fb2000', 'hex'), Buffer.from([0x81, 0x00, 0x60, 0x00]), Buffer.alloc(64)]), expected: { format: 'BPG', width: 128, height: 96 } },
  { extractor: 'image', filename: 'cow.pict', build: () => Buffer.concat([Buffer.alloc(512), Buffer.from('0000000a0014006e00dc001102ff0c00', 'hex')]), expected: { format: 'PICT', width: 200, height: 100 } },
  { extractor: 'image', filename: 'arrow.wmf', build: () => Buffer.from('0100090000031200000000000500000000000500000 00c026400c800030000000000'.replace(' ', ''), 'hex'), expected: { format: 'WMF', width: 200, height: 100 } },
  { extractor: 'technical-drawing', filename: 'hall.e57', build: () => makeE57(1234), expected: { points: 1234 } },
  { extractor: 'technical-drawing', filename: 'bridge.dgn', build: () => makeDgn(), expected: { cad: { version: 'V7', dimensions: 3, units: 'm' } } },
  { extractor: 'technical-drawing', filename: 'plan.dwf', build: () => Buffer.concat([Buffer.from('(DWF V06.00)'), makeZip([{ name: 'sheet/plan.w2d', data: 'x' }])]), expected: { cad: { version: '6.00', sheets: 1 } } },
  { extractor: 'tracker-module', filename: 'night.s3m', build: () => makeS3m('Night drive', ['bass']), title: 'Night drive', word: 'bass' },
];
