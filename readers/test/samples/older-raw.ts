/** RAW files of formats that are not built on TIFF. */
import { makeTiff } from './images.ts';
import { type Sample, u16be, u16le, u32be, u32le } from './sample.ts';

const taken = Date.UTC(2003, 10, 10, 17, 39, 26) / 1000;

/** A heap of Canon's format: values, then the directory, then its offset. */
function ciffHeap(entries: readonly [type: number, data: Buffer][]): Buffer {
  const data = Buffer.concat(entries.map(([, bytes]) => bytes));
  let at = 0;
  const rows = entries.map(([type, bytes]) => {
    at += bytes.length;
    return Buffer.concat([u16le(type), u32le(bytes.length), u32le(at - bytes.length)]);
  });
  return Buffer.concat([data, u16le(entries.length), ...rows, u32le(data.length)]);
}

/** `kind` is CCDR in a file of its own, and JPGM in a JPEG. */
export function makeCiff(kind: 'CCDR' | 'JPGM' = 'CCDR'): Buffer {
  const float = Buffer.alloc(12);
  // Exposures are stored as powers of two.
  float.writeFloatLE(6, 4);
  float.writeFloatLE(4, 8);
  const camera = ciffHeap([[0x080a, Buffer.from('Canon\0Canon EOS 300D\0\0')]]);
  const picture = ciffHeap([
    [0x180e, Buffer.concat([u32le(taken), u32le(0), u32le(0)])],
    [0x1810, Buffer.concat([u32le(3072), u32le(2048), u32le(0), u32le(90)])],
    [0x1818, float],
  ]);
  const properties = ciffHeap([
    [0x2807, camera],
    [0x300a, picture],
  ]);
  return Buffer.concat([Buffer.from('II'), u32le(26), Buffer.from(`HEAP${kind}`), Buffer.alloc(12), ciffHeap([[0x300b, properties]])]);
}

export function makeMinoltaRaw(): Buffer {
  const block = (name: string, body: Buffer): Buffer => Buffer.concat([Buffer.from(`\0${name}`), u32be(body.length), body]);
  const size = Buffer.concat([Buffer.alloc(8), u16be(2460), u16be(3280), u16be(2448), u16be(3264), Buffer.alloc(8)]);
  const tiff = makeTiff([
    [0x10f, 'Minolta'],
    [0x110, 'DiMAGE A2'],
    [0x9003, '2004:11:18 23:14:58'],
  ]);
  const blocks = Buffer.concat([block('PRD', size), block('TTW', tiff)]);
  return Buffer.concat([Buffer.from('\0MRM'), u32be(blocks.length), blocks, Buffer.alloc(40)]);
}

export function makeSigmaRaw(): Buffer {
  const values = { CAMMANUF: 'SIGMA', CAMMODEL: 'SIGMA SD10', TIME: String(taken), ISO: '100', EXPTIME: '9290', APERTURE: '8' };
  const words = Object.entries(values).flat();
  const offsets = words.map((_, i) => words.slice(0, i).reduce((sum, word) => sum + word.length + 1, 0));
  const text = Buffer.from(words.map((word) => `${word}\0`).join(''), 'utf16le');
  const properties = Buffer.concat([
    Buffer.from('SECp'),
    u32le(0x20000),
    u32le(words.length / 2),
    ...[0, 0, text.length / 2].map(u32le),
    ...offsets.map(u32le),
    text,
  ]);
  const head = Buffer.concat([Buffer.from('FOVb'), u32le(0x20002), Buffer.alloc(20), u32le(2268), u32le(1512), u32le(90)]);
  const directory = Buffer.concat([
    Buffer.from('SECd'),
    u32le(0x20000),
    u32le(1),
    u32le(head.length),
    u32le(properties.length),
    Buffer.from('PROP'),
  ]);
  return Buffer.concat([head, properties, directory, u32le(head.length + properties.length)]);
}

export const olderRawSamples: Sample[] = [
  {
    extractor: 'image',
    filename: 'shot.crw',
    build: () => makeCiff(),
    expected: { camera: 'Canon EOS 300D', taken_at: '2003-11-10T17:39:26', width: 3072, height: 2048, orientation: 6 },
  },
  {
    extractor: 'image',
    filename: 'shot.mrw',
    build: makeMinoltaRaw,
    expected: { camera: 'Minolta DiMAGE A2', taken_at: '2004-11-18T23:14:58', width: 3264, height: 2448 },
  },
  {
    extractor: 'image',
    filename: 'shot.x3f',
    build: makeSigmaRaw,
    expected: { camera: 'Sigma SD10', taken_at: '2003-11-10T17:39:26', width: 2268, height: 1512, orientation: 6 },
  },
];
