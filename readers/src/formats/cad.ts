import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { type FileBytes, fileChunks, withFileBytes } from '../input/file-bytes.ts';
import { withoutEmpty } from './result.ts';
import { textLines } from './text/text-file.ts';

/** CAD drawings and parts, described by their headers. Geometry is not evaluated. */
export const cad: Extractor = {
  name: 'cad',
  version: 1,
  text: false,
  extensions: ['dxf', 'step', 'stp', 'ifc', 'dwg', 'dwt'],
  tools: [],
  keys: [
    'cad',
    ...['format', 'version', 'units', 'entities', 'layers', 'schema', 'title', 'organization', 'system', 'created', 'products'].map(
      (key) => `cad.${key}`,
    ),
    'author',
    'bbox',
    'file_format',
  ],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const head = file.read(0, 64).toString('latin1');
      if (/^AC10\d\d/.test(head))
        return {
          metadata: {
            file_format: 'dwg',
            cad: withoutEmpty({ format: 'dwg', version: dwgVersions[head.slice(0, 6)] ?? head.slice(0, 6) }),
          },
        };
      if (/^\s*ISO-10303-21/.test(head)) return readStepFile(file, source.extension === 'ifc' ? 'ifc' : 'step');
      if (source.extension === 'dxf') return readDxf(file);
      throw new ExtractError('corrupt', 'The drawing has no valid header.');
    }),
};

const dwgVersions: Record<string, string> = {
  AC1009: 'R12',
  AC1012: 'R13',
  AC1014: 'R14',
  AC1015: '2000',
  AC1018: '2004',
  AC1021: '2007',
  AC1024: '2010',
  AC1027: '2013',
  AC1032: '2018',
};

const dxfUnits: Record<string, string> = {
  1: 'inch',
  2: 'foot',
  3: 'mile',
  4: 'millimeter',
  5: 'centimeter',
  6: 'meter',
  7: 'kilometer',
  8: 'microinch',
  10: 'yard',
  13: 'micrometer',
};
const dxfVersions: Record<string, string> = { ...dwgVersions, AC1006: 'R10' };

/**
 * ASCII DXF is a list of pairs: a group code and a value. The header section holds version, units and extents. Entities and layers are
 * counted.
 */
function readDxf(file: FileBytes): Extracted {
  if (file.read(0, 22).toString('latin1').startsWith('AutoCAD Binary DXF'))
    return { metadata: { file_format: 'dxf', cad: { format: 'dxf', version: 'binary' } } };
  let section = '';
  let variable = '';
  let awaitingName = false;
  let entities = 0;
  let layers = 0;
  let sections = 0;
  const header = new Map<string, Record<number, string>>();
  for (const [code, value] of dxfGroups(file)) {
    if (code === 0) {
      awaitingName = value === 'SECTION';
      if (value === 'ENDSEC') section = '';
      else if (section === 'ENTITIES') entities++;
      else if (section === 'TABLES' && value === 'LAYER') layers++;
    } else if (code === 2 && awaitingName) {
      section = value;
      sections++;
      awaitingName = false;
    } else if (section === 'HEADER' && code === 9) {
      variable = value;
      if (header.size < 1000) header.set(variable, {});
    } else if (section === 'HEADER') {
      const fields = header.get(variable);
      if (fields) fields[code] = value;
    }
  }
  if (sections === 0) throw new ExtractError('corrupt', 'The drawing has no sections.');
  const stated = header.get('$ACADVER')?.[1];
  return {
    metadata: {
      file_format: 'dxf',
      cad: withoutEmpty({
        format: 'dxf',
        version: stated === undefined ? undefined : (dxfVersions[stated] ?? stated.slice(0, 40)),
        units: dxfUnits[header.get('$INSUNITS')?.[70]?.trim() ?? ''],
        entities,
        layers,
      }),
      ...withoutEmpty({ author: header.get('$LASTSAVEDBY')?.[1]?.slice(0, 200) }),
      ...drawingExtent(header.get('$EXTMIN'), header.get('$EXTMAX')),
    },
  };
}

function drawingExtent(low: Record<number, string> | undefined, high: Record<number, string> | undefined): Record<string, unknown> {
  const min = [10, 20, 30].map((code) => Number(low?.[code] ?? Number.NaN));
  const max = [10, 20, 30].map((code) => Number(high?.[code] ?? Number.NaN));
  // An empty drawing has a minimum above its maximum.
  const size = max.map((high, axis) => high - (min[axis] ?? Number.NaN));
  const valid = size.every((length, axis) => Number.isFinite(min[axis]) && length >= 0);
  return valid ? { bbox: { min, max, size } } : {};
}

export function* dxfGroups(file: FileBytes): Generator<[number, string]> {
  let code: number | undefined;
  for (const line of textLines(file)) {
    if (code === undefined) {
      code = Number(line);
      if (!Number.isInteger(code)) throw new ExtractError('corrupt', 'The drawing is damaged.');
    } else {
      yield [code, line.trim()];
      code = undefined;
    }
  }
}

const headerBytes = 256 * 1024;
/** Entities beyond this offset are not counted. */
const countBytes = 512 * 1024 * 1024;

/** STEP and IFC (ISO 10303-21): header fields, number of entities, length unit and product names. */
function readStepFile(file: FileBytes, format: 'step' | 'ifc'): Extracted {
  const text = file.read(0, headerBytes).toString('latin1');
  const end = text.indexOf('ENDSEC;');
  if (end === -1) throw new ExtractError('corrupt', 'The header of the model is incomplete.');
  const header = text.slice(0, end);
  const name = argumentsOf(header, 'FILE_NAME');
  const schema = argumentsOf(header, 'FILE_SCHEMA')[0];
  const body = scanBody(file);
  const title = body.products[0] ?? withoutPath(name[0]);
  return {
    metadata: {
      file_format: format,
      cad: withoutEmpty({
        format,
        schema: schema?.replace(/\s*\{.*$/, ''),
        title: withoutPath(name[0]),
        created: name[1],
        organization: name[3],
        system: name[5] ?? name[4],
        entities: body.entities,
        units: body.units,
        ...(body.products.length > 0 ? { products: body.products } : {}),
      }),
      ...withoutEmpty({ author: name[2] }),
    },
    ...withoutEmpty({ title }),
  };
}

/** Some programs store the full local path as the name. */
const withoutPath = (name: string | undefined): string | undefined => name?.replace(/^.*[\\/]/, '');

/** The string arguments of a header statement. A list is reduced to its first string. */
function argumentsOf(header: string, statement: string): (string | undefined)[] {
  const at = header.indexOf(`${statement}`);
  if (at === -1) return [];
  const stop = header.indexOf(');', at);
  const inner = header.slice(header.indexOf('(', at) + 1, stop === -1 ? undefined : stop);
  const found: (string | undefined)[] = [];
  for (const match of inner.matchAll(/\(\s*((?:'(?:[^']|'')*'\s*,?\s*)*)\)|'((?:[^']|'')*)'|\$/g)) {
    const first = match[1] === undefined ? match[2] : /'((?:[^']|'')*)'/.exec(match[1])?.[1];
    found.push(decodeStepText(first));
  }
  return found;
}

/** STEP strings double their quotes and encode other characters as \X2\00E9\X0\. */
function decodeStepText(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const plain = text
    .replaceAll("''", "'")
    .replace(/\\X2\\([0-9A-F]*)\\X0\\/gi, (_, hex: string) =>
      String.fromCharCode(...(hex.match(/.{4}/g) ?? []).map((h) => Number.parseInt(h, 16))),
    )
    .replace(/\\X\\([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/\\S\\(.)/g, (_, letter: string) => String.fromCharCode(letter.charCodeAt(0) + 128))
    .trim();
  return plain === '' ? undefined : plain.slice(0, 300);
}

function scanBody(file: FileBytes): { entities: number; units?: string; products: string[] } {
  const products = new Set<string>();
  let entities = 0;
  let units: string | undefined;
  let rest = '';
  for (const chunk of fileChunks(file, 1 << 20, 0, Math.min(file.size, countBytes))) {
    const buffered = rest + chunk.toString('latin1');
    const statementsEnd = buffered.lastIndexOf(';') + 1;
    rest = buffered.slice(statementsEnd).slice(-65_536);
    const text = buffered.slice(0, statementsEnd);
    for (const _ of text.matchAll(/(?:^|[;\s])#\d+\s*=/g)) entities++;
    units ??= lengthUnit(text);
    for (const match of text.matchAll(/=\s*(?:PRODUCT|IFCPROJECT)\s*\(\s*(?:'[^']*',\s*#?[\w$]+,\s*)?'((?:[^']|'')*)'/g)) {
      const name = decodeStepText(match[1]);
      if (name !== undefined && products.size < 50) products.add(name);
    }
  }
  return { entities, ...(units === undefined ? {} : { units }), products: [...products] };
}

function lengthUnit(text: string): string | undefined {
  const si =
    /LENGTH_?UNIT[^;]*SI_UNIT\s*\(\s*(?:\.(\w+)\.|\$)\s*,\s*\.METRE\.|IFCSIUNIT\s*\(\s*\*\s*,\s*\.LENGTHUNIT\.\s*,\s*(?:\.(\w+)\.|\$)\s*,\s*\.METRE\./.exec(
      text,
    );
  if (si) return `${(si[1] ?? si[2] ?? '').toLowerCase()}meter`;
  return /CONVERSION_BASED_UNIT\s*\(\s*'(INCH|FOOT)'/i.exec(text)?.[1]?.toLowerCase();
}
