import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { withoutEmpty } from './result.ts';

const headBytes = 512 * 1024;
const tailBytes = 512 * 1024;

/** G-code: settings that the slicer wrote as comments at the start and end of the file. Moves are not simulated. */
export const gcode: Extractor = {
  name: 'gcode',
  version: 1,
  text: false,
  extensions: ['gcode', 'gco'],
  tools: [],
  keys: [
    'print',
    ...[
      'time_seconds',
      'layer_height',
      'layers',
      'filament_length_mm',
      'filament_weight_g',
      'filament_type',
      'nozzle',
      'printer',
      'slicer',
    ].map((key) => `print.${key}`),
    ...['nozzle_temperature', 'bed_temperature', 'infill'].map((key) => `print.${key}`),
    'file_format',
  ],
  read: (source) =>
    withFileBytes(source, (file): Extracted => {
      const head = file.read(0, headBytes);
      if (head.includes(0)) throw new ExtractError('corrupt', 'The file is not text, so it cannot be G-code.');
      const tail = file.size > headBytes ? file.read(Math.max(headBytes, file.size - tailBytes), tailBytes) : Buffer.alloc(0);
      const comments = collectComments(`${head.toString('utf8')}\n${tail.toString('utf8')}`);
      if (!comments.moves && comments.values.size === 0) throw new ExtractError('corrupt', 'The file contains no G-code.');
      const print = printFacts(comments.values, comments.slicer);
      return { metadata: { file_format: 'gcode', ...(Object.keys(print).length > 0 ? { print } : {}) } };
    }),
};

interface Comments {
  values: Map<string, string>;
  slicer?: string;
  moves: boolean;
}

/** Collects `; key = value` and `;KEY:value` comments. The first value of a key is kept. */
function collectComments(text: string): Comments {
  const values = new Map<string, string>();
  let slicer: string | undefined;
  let moves = false;
  for (const line of text.split('\n')) {
    if (!line.startsWith(';')) {
      moves ||= /^\s*[GM]\d+/.test(line);
      continue;
    }
    slicer ??= /(?:generated (?:by|with)|^;\s*sliced by)\s+([A-Za-z][\w .+-]{2,60})/i.exec(line)?.[1]?.trim();
    const pair = /^;\s*([A-Za-z][\w ()[\]-]{1,60}?)\s*[=:]\s*(.{1,200})$/.exec(line);
    if (!pair) continue;
    const [, label = '', value = ''] = pair;
    const key = label.toLowerCase().replace(/\s+/g, ' ');
    if (values.size < 2000 && !values.has(key)) values.set(key, value.trim());
  }
  return { values, ...(slicer === undefined ? {} : { slicer: slicer.replace(/\s+on \d.*$/, '') }), moves };
}

function printFacts(values: Map<string, string>, slicer: string | undefined): Record<string, unknown> {
  const first = (...keys: string[]): string | undefined => keys.map((key) => values.get(key)).find((value) => value !== undefined);
  const number = (...keys: string[]): number | undefined => {
    const value = Number.parseFloat(first(...keys) ?? '');
    return Number.isFinite(value) ? value : undefined;
  };
  const cura = number('time');
  const meters = /^([\d.]+)\s*m(?!m)/.exec(first('filament used') ?? '');
  return withoutEmpty({
    time_seconds:
      cura ??
      parseDuration(
        first(
          'estimated printing time (normal mode)',
          'estimated printing time',
          'model printing time',
          'total estimated time',
          'print time',
          'build time',
        ),
      ),
    layer_height: number('layer_height', 'layer height'),
    layers: number('layer_count', 'total layer number', 'total layers count', 'layer count'),
    filament_length_mm: meters ? Number(meters[1]) * 1000 : number('filament used [mm]', 'total filament length [mm]', 'filament used'),
    filament_weight_g: number('filament used [g]', 'total filament used [g]', 'total filament weight [g]', 'filament weight'),
    filament_type: first('filament_type', 'material')?.split(/[;,]/)[0],
    nozzle: number('nozzle_diameter', 'nozzle diameter'),
    printer: first('printer_model', 'target_machine.name', 'machine name', 'printer_settings_id'),
    nozzle_temperature: number('temperature', 'nozzle_temperature', 'first_layer_temperature'),
    bed_temperature: number('bed_temperature', 'first_layer_bed_temperature'),
    infill: first('fill_density', 'sparse_infill_density'),
    slicer: slicer ?? first('slicer'),
  });
}

/** Parses `1d 2h 3m 4s`, `2 hours 5 minutes` or plain seconds. */
export function parseDuration(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.round(Number(text));
  let total = 0;
  for (const [, amount, unit = 's'] of text.matchAll(/(\d+(?:\.\d+)?)\s*(d|h|m(?!m)|s)/gi)) {
    total += Number(amount) * { d: 86_400, h: 3600, m: 60, s: 1 }[unit.toLowerCase() as 'd' | 'h' | 'm' | 's'];
  }
  return total > 0 ? Math.round(total) : undefined;
}
