/** Builders of small data files: medical images, arrays, records, tracker modules. */
import type { Sample } from './sample.ts';

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

// biome-ignore format: one sample per line is easier to scan.
export const dataHeaderSamples: readonly Sample[] = [
  { extractor: 'scene', filename: 'scan.las', build: () => makeLas(10), expected: { points: 10 } },
  { extractor: 'scene', filename: 'box.3ds', build: () => makeThreeDs(8, 12), expected: { triangles: 12 } },
  { extractor: 'data', filename: 'survey.sav', build: () => makeSpss(42), expected: { database: { rows: 42 } } },
  { extractor: 'data', filename: 'array.npy', build: () => makeNpy([3, 4]), expected: { database: { values: 12 } } },
  { extractor: 'data', filename: 'sales.avro', build: () => makeAvro({ type: 'record', name: 'Sale', fields: [] }), expected: { database: { name: 'Sale' } } },
  { extractor: 'tracker-module', filename: 'night.s3m', build: () => makeS3m('Night drive', ['bass']), title: 'Night drive', word: 'bass' },
];
