import { ExtractError, type Extracted, type Extractor } from '../contract.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { readDxf } from './cad/dxf.ts';
import { readStepFile } from './cad/step-file.ts';
import { withoutEmpty } from './text-head.ts';

/** Drawings and parts: what their headers state. Geometry is not evaluated. */
export const cad: Extractor = {
  name: 'cad',
  version: 1,
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
      throw new ExtractError('corrupt', 'The header of the drawing is missing.');
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
