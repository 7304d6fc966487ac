/** Drawings, parts and scans of other CAD programs, described by their headers and properties. */
import { ExtractError, type Extracted, type Extractor, type Source } from '../contract.ts';
import { type FileBytes, withFileBytes } from '../input/file-bytes.ts';
import { openZip } from '../input/zip.ts';
import { isCompoundFile } from './office/compound-file.ts';
import { legacyOffice } from './office/legacy-office.ts';
import { withoutEmpty } from './result.ts';
import { fixedField } from './text/text-file.ts';

const maxXml = 8 * 1024 * 1024;

export const technicalDrawing: Extractor = {
  name: 'technical-drawing',
  version: 1,
  text: false,
  extensions: ['dgn', 'dwf', 'e57', 'sldprt', 'sldasm', 'slddrw'],
  tools: [],
  keys: [
    'cad',
    ...['format', 'version', 'dimensions', 'units', 'sheets', 'scans', 'created'].map((key) => `cad.${key}`),
    'points',
    ...legacyOffice.keys,
  ],
  read: (source) =>
    withFileBytes(source, async (file) => {
      const head = file.read(0, 64);
      const text = head.toString('latin1');
      if (text.startsWith('ASTM-E57')) return readE57(file);
      if (text.startsWith('(DWF V')) return readDwf(file, source, text);
      if (/^[\x08\xc8]\x09\xfe\x02/.test(text)) return readDgn7(file);
      if (isCompoundFile(head)) return readParts(source);
      // SolidWorks has used a container of its own since 2015, which is not described.
      if (source.extension.startsWith('sld') && file.size > 64) return { metadata: { cad: { format: 'solidworks' } } };
      throw new ExtractError('corrupt', 'The drawing has no valid header.');
    }),
};

/** MicroStation 8 and SolidWorks write compound files with the properties of office documents. */
async function readParts(source: Source): Promise<Extracted> {
  const { metadata, title } = await legacyOffice.read(source);
  const cad = source.extension === 'dgn' ? { format: 'dgn', version: 'V8' } : { format: 'solidworks' };
  return { metadata: { ...metadata, cad }, ...(title !== undefined && { title }) };
}

/** MicroStation up to version 7: the first element states the dimensions and the names of the units. */
function readDgn7(file: FileBytes): Extracted {
  const head = file.read(0, 1536);
  if (head.length < 1536) throw new ExtractError('corrupt', 'The drawing is incomplete.');
  return {
    metadata: {
      cad: withoutEmpty({
        format: 'dgn',
        version: 'V7',
        dimensions: head[0] === 0xc8 ? 3 : 2,
        units: fixedField(head.subarray(1120, 1122)),
      }),
    },
  };
}

/** Since version 6 a DWF file is a zip file behind a short header, with a folder for each sheet. */
function readDwf(file: FileBytes, source: Source, head: string): Extracted {
  const version = /^\(DWF V(\d\d\.\d\d)\)/.exec(head)?.[1]?.replace(/^0/, '');
  if (version === undefined) throw new ExtractError('corrupt', 'The drawing has no valid header.');
  if (!head.slice(12).startsWith('PK')) return { metadata: { cad: { format: 'dwf', version } } };
  const zip = openZip(file, source.limits);
  const sheets = zip.entries.filter(({ name }) => /(^|\/)[^/]*\.(w2d|w3d)$/i.test(name)).length;
  return { metadata: { cad: { format: 'dwf', version, ...(sheets > 0 && { sheets }) } } };
}

/** E57 (ASTM E2807): pages of which the last four bytes are a checksum; an XML part describes the scans. */
function readE57(file: FileBytes): Extracted {
  const head = file.read(0, 48);
  if (head.length < 16) throw new ExtractError('corrupt', 'The scan is incomplete.');
  const facts: Record<string, unknown> = { format: 'e57', version: `${head.readUInt32LE(8)}.${head.readUInt32LE(12)}` };
  if (head.length < 48) return { metadata: { cad: facts } };
  const [offset, length, page] = [24, 32, 40].map((at) => Number(head.readBigUInt64LE(at))) as [number, number, number];
  if (page < 64 || page > 1 << 20 || length > maxXml) return { metadata: { cad: facts } };
  const pages: Buffer[] = [];
  for (let at = offset, left = length; left > 0; ) {
    const bytes = file.read(at, Math.min(left, page - 4 - (at % page)));
    if (bytes.length === 0) break;
    pages.push(bytes);
    left -= bytes.length;
    at += bytes.length + 4;
  }
  const xml = Buffer.concat(pages).toString('utf8');
  const counts = [...xml.matchAll(/<points[^>]*\srecordCount="(\d{1,15})"/g)].map(([, count]) => Number(count));
  return {
    metadata: {
      cad: { ...facts, scans: counts.length },
      ...(counts.length > 0 && { points: counts.reduce((sum, count) => sum + count, 0) }),
    },
  };
}
