/** DICOM headers. Patient names and numbers are deliberately not read. */
import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import type { ImageFacts } from './image-facts.ts';

const MAX_HEADER = 1 << 20;
const MAX_ELEMENTS = 4000;
const LONG_FORMS = new Set(['OB', 'OW', 'OF', 'OD', 'OL', 'SQ', 'UT', 'UN', 'UC', 'UR']);

const textTags: Record<number, string> = {
  524384: 'modality',
  524400: 'manufacturer',
  528528: 'model',
  528432: 'study_description',
  528446: 'series_description',
  1572885: 'body_part',
  524320: 'study_date',
  131088: 'transfer_syntax',
};

export const dicomKeys = Object.values(textTags).map((name) => `dicom.${name}`);

export function readDicom(file: FileBytes): ImageFacts {
  const bytes = file.read(0, MAX_HEADER);
  if (bytes.toString('latin1', 128, 132) !== 'DICM') throw new ExtractError('corrupt', 'The DICOM header is missing.');
  const dicom: Record<string, unknown> = {};
  const facts: ImageFacts = { format: 'DICOM', dicom };
  let at = 132;
  let explicit = true;
  for (let count = 0; count < MAX_ELEMENTS && at + 8 <= bytes.length; count++) {
    const group = bytes.readUInt16LE(at);
    if (group === 0x7fe0) break;
    const tag = group * 0x10000 + bytes.readUInt16LE(at + 2);
    // The transfer syntax sets the encoding of all elements after group 2.
    if (group !== 2 && dicom['transfer_syntax'] === '1.2.840.10008.1.2') explicit = false;
    const form = bytes.toString('latin1', at + 4, at + 6);
    const long = explicit && LONG_FORMS.has(form);
    if (long && at + 12 > bytes.length) break;
    const length = !explicit ? bytes.readUInt32LE(at + 4) : long ? bytes.readUInt32LE(at + 8) : bytes.readUInt16LE(at + 6);
    const body = at + (long ? 12 : 8);
    if (length === 0xffffffff) {
      // A sequence of undefined length: its items follow as ordinary elements.
      at = body;
      continue;
    }
    if (group === 0xfffe) {
      at = body;
      continue;
    }
    readElement(facts, dicom, tag, bytes.subarray(body, body + length));
    at = body + length;
  }
  if (facts.width === undefined && Object.keys(dicom).length === 0) throw new ExtractError('corrupt', 'The DICOM header is damaged.');
  return facts;
}

function readElement(facts: ImageFacts, dicom: Record<string, unknown>, tag: number, value: Buffer): void {
  const name = textTags[tag];
  if (name !== undefined) dicom[name] ??= value.toString('latin1').replace(/\0/g, '').trim();
  else if (tag === 0x00280010 && value.length >= 2) facts.height ??= value.readUInt16LE(0);
  else if (tag === 0x00280011 && value.length >= 2) facts.width ??= value.readUInt16LE(0);
  else if (tag === 0x00280100 && value.length >= 2) facts.bit_depth ??= value.readUInt16LE(0);
  else if (tag === 0x00280004) facts.mode ??= value.toString('latin1').startsWith('MONOCHROME') ? 'L' : 'RGB';
  else if (tag === 0x00280008) facts.frames ??= Number.parseInt(value.toString('latin1'), 10) || 1;
}
