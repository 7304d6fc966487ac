import { ExtractError, type Extracted } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { textLines } from '../mesh/text-lines.ts';
import { withoutEmpty } from '../text-head.ts';

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
const dxfVersions: Record<string, string> = {
  AC1006: 'R10',
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

/**
 * DXF as text: pairs of a group code and a value. The header section gives version, units and extent; the entities section is counted;
 * layers are counted from their table.
 */
export function readDxf(file: FileBytes): Extracted {
  if (file.read(0, 22).toString('latin1').startsWith('AutoCAD Binary DXF'))
    return { metadata: { file_format: 'dxf', cad: { format: 'dxf', version: 'binary' } } };
  let section = '';
  let variable = '';
  let awaitingName = false;
  let entities = 0;
  let layers = 0;
  let sections = 0;
  const header = new Map<string, Record<number, string>>();
  for (const [code, value] of groups(file)) {
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
  // An empty drawing states an inside-out box.
  const sound = [0, 1, 2].every((axis) => Number.isFinite(min[axis]) && max[axis]! >= min[axis]!);
  return sound ? { bbox: { min, max, size: [0, 1, 2].map((axis) => max[axis]! - min[axis]!) } } : {};
}

function* groups(file: FileBytes): Generator<[number, string]> {
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
