// biome-ignore-all lint/style/noNonNullAssertion: indexes into the constant lists below are always in range
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { thumbFor } from '../console/dev/mock/art.ts';

const LONG_NAME =
  'a very long name that goes on and on so that it has to be cut in the middle somewhere and still shows its end 2024-final-v2.txt';
const RIGHT_TO_LEFT_NAME = 'مرحبا بالعالم.txt';

type WriteFile = (name: string, content: string | Uint8Array, when?: string) => void;

function writer(root: string): { put: WriteFile; count: () => number } {
  let files = 0;
  return {
    count: () => files,
    put(name, content, when = '2024-03-01') {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), content);
      utimesSync(path.join(root, name), new Date(when), new Date(when));
      files += 1;
    },
  };
}

/** Photo locations for the map. */
const PLACES = [
  ['bergen', 60.39, 5.32],
  ['reykjavik', 64.15, -21.94],
  ['rotterdam', 51.92, 4.48],
  ['lisbon', 38.72, -9.14],
  ['split', 43.51, 16.44],
] as const;

/** Capture dates: month and first day. */
const MONTHS = [
  ['2023-06', 10],
  ['2023-05', 4],
  ['2022-09', 12],
] as const;

const degrees = (value: number): string => {
  const whole = Math.floor(Math.abs(value));
  const minutes = (Math.abs(value) - whole) * 60;
  return `${whole}/1 ${Math.floor(minutes)}/1 ${Math.round((minutes % 1) * 6000)}/100`;
};

/** A generated photo with the EXIF data of a camera. */
function photo(n: number, taken: string, [, lat, lng]: (typeof PLACES)[number]): Promise<Buffer> {
  const drawing = thumbFor({ n, file_category: 'image' } as Parameters<typeof thumbFor>[0]) ?? '';
  return sharp(Buffer.from(drawing))
    .resize(960, 720)
    .withExif({
      IFD0: { Make: 'Sony', Model: 'ILCE-7M4' },
      IFD2: { DateTimeOriginal: `${taken.replaceAll('-', ':')} 21:48:00`, FNumber: '4/1', ExposureTime: '1/125', FocalLength: '35/1' },
      IFD3: {
        GPSLatitudeRef: lat < 0 ? 'S' : 'N',
        GPSLatitude: degrees(lat),
        GPSLongitudeRef: lng < 0 ? 'W' : 'E',
        GPSLongitude: degrees(lng),
      },
    })
    .jpeg({ quality: 70 })
    .toBuffer();
}

/** A minimal PDF with the given lines per page. */
export function pdf(pages: string[][]): string {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  for (const [i, lines] of pages.entries()) {
    const text = `BT /F1 14 Tf 72 760 Td 22 TL ${lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join(' ')} ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + i * 2} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    );
  }
  let out = '%PDF-1.4\n';
  const starts = objects.map((body, i) => {
    const at = out.length;
    out += `${i + 1} 0 obj\n${body}\nendobj\n`;
    return at;
  });
  const table = starts.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('');
  return `${out}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`;
}

/** A pyramid as ASCII STL. */
const pyramid = (): string => {
  const top = '0 0 2';
  const corners = ['-1 -1 0', '1 -1 0', '1 1 0', '-1 1 0'];
  const facets = corners.map((corner, i) => [corner, corners[(i + 1) % 4]!, top]);
  return `solid hull\n${[...facets, [corners[0]!, corners[2]!, corners[1]!], [corners[0]!, corners[3]!, corners[2]!]]
    .map((points) => `facet normal 0 0 1\nouter loop\n${points.map((p) => `vertex ${p}\n`).join('')}endloop\nendfacet\n`)
    .join('')}endsolid hull\n`;
};

/** A one-second tone as WAV. */
function tone(): Uint8Array {
  const rate = 8000;
  const out = Buffer.alloc(44 + rate * 2);
  out.write('RIFF', 0);
  out.writeUInt32LE(36 + rate * 2, 4);
  out.write('WAVEfmt ', 8);
  out.writeUInt32LE(16, 16);
  out.writeUInt16LE(1, 20);
  out.writeUInt16LE(1, 22);
  out.writeUInt32LE(rate, 24);
  out.writeUInt32LE(rate * 2, 28);
  out.writeUInt16LE(2, 32);
  out.writeUInt16LE(16, 34);
  out.write('data', 36);
  out.writeUInt32LE(rate * 2, 40);
  for (let i = 0; i < rate; i += 1) out.writeInt16LE(Math.round(Math.sin(i / 6) * 8000 * Math.sin((i / rate) * Math.PI)), 44 + i * 2);
  return out;
}

/** Writes a small library: photos, documents, archives, unusual names and an excluded folder. */
export async function writeSampleLibrary(root: string): Promise<{ files: number }> {
  const { put, count } = writer(root);
  for (let at = 0; at < 24; at += 1) {
    const place = PLACES[at % PLACES.length]!;
    const [month, days] = MONTHS[at % 5 === 4 ? 2 : at % 3]!;
    const taken = `${month}-${String(days + Math.floor(at / 3)).padStart(2, '0')}`;
    put(`photos/${taken.slice(0, 4)}/${taken.slice(0, 7)} ${place[0]}/IMG_44${10 + at}_harbour.jpg`, await photo(at, taken, place), taken);
  }
  put(
    'documents/harbour crane survey.txt',
    'The load test of the north harbour crane was repeated after the brake was changed.',
    '2023-11-02',
  );
  put(
    'documents/Harbour crane survey - final report.pdf',
    pdf([
      ['4.1 The three cranes of the north harbour', 'Their rails were measured in June.', 'The harbour office has the drawings.'],
      ['4.2 Load test', 'The load test of the north harbour crane was repeated.', 'The drum stayed within the limit of its maker.'],
      ['4.3 Rails and footing', 'The east rail has settled by 6 mm.', 'A yearly check along the inner harbour wall is advised.'],
    ]),
    '2023-11-02',
  );
  put('documents/quarterlyReport.csv', 'month,amount\nJanuary,412\nFebruary,390\n', '2024-02-29');
  put('documents/año nuevo.md', '# Año nuevo\n\nA note about the new year in 北京.', '2022-01-01');
  put(`documents/${LONG_NAME}`, 'long', '2024-01-05');
  put(`documents/${RIGHT_TO_LEFT_NAME}`, 'right to left', '2024-01-06');
  put(
    'mail/Re mooring fees, inner harbour.eml',
    'From: Inga <inga@example.org>\r\nTo: Tor <tor@example.org>\r\nSubject: Re: mooring fees, inner harbour\r\nDate: Mon, 22 Jan 2024 09:00:00 +0000\r\n\r\nThe fee for the inner harbour rises to 412 a month from March.\r\n',
    '2024-01-22',
  );
  put('models/harbour-tug_hull_v07.stl', pyramid(), '2024-03-19');
  put('recordings/harbour_ambience_dawn.wav', tone(), '2022-05-08');
  put('archives/backup.zip', zipSync({ 'letters/mooring-fees.txt': strToU8('fees'), 'letters/answer.txt': strToU8('yes') }), '2023-01-01');
  put('archives/broken.zip', 'PK\u0003\u0004 this is not an archive', '2023-01-02');
  put('code/tides.py', 'def tide(hour):\n    return hour % 12\n', '2024-07-07');
  const files = count();
  put('.hidden/secret.txt', 'left out', '2024-01-01');
  return { files };
}
