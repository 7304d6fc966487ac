import { createBodyText } from '../body-text.ts';
import type { Extracted, Extractor, Source } from '../contract.ts';
import { readWholeFile } from '../input/file-bytes.ts';
import { isBinaryPlist, type PlistValue, readBinaryPlist } from './binary-plist.ts';
import { sourceCode } from './text/source-code.ts';

/** Property lists of Apple: binary ones as their keys and texts, XML ones as text. `aae` is a list of edits of a photo. */
export const propertyList: Extractor = {
  name: 'property-list',
  version: 1,
  text: true,
  extensions: ['plist', 'bplist', 'aae'],
  tools: [],
  keys: [...sourceCode.keys, 'format', 'edit', 'edit.editor', 'edit.time'],
  async read(source) {
    const bytes = readWholeFile(source, source.limits.documentMaxBytes);
    const read = isBinaryPlist(bytes) ? readBinary(bytes, source) : await sourceCode.read(source);
    const edit = readEdit(isBinaryPlist(bytes) ? readBinaryPlist(bytes) : xmlStrings(bytes.toString('utf8')));
    return edit === null ? read : { ...read, metadata: { ...read.metadata, edit } };
  },
};

function readBinary(bytes: Buffer, source: Source): Extracted {
  const body = createBodyText(source.limits.bodyTextMaxChars);
  const collect = (value: PlistValue): void => {
    if (body.full()) return;
    if (typeof value === 'string' || typeof value === 'number') {
      body.add(String(value));
      body.break(' ');
    } else if (Array.isArray(value)) value.forEach(collect);
    else if (value instanceof Map)
      for (const [key, entry] of value) {
        body.break();
        body.add(key);
        body.break(' ');
        collect(entry);
      }
  };
  collect(readBinaryPlist(bytes));
  return { metadata: { format: 'Binary property list' }, ...body.result() };
}

/** The top-level keys of an XML property list whose values are text or a date. */
function xmlStrings(xml: string): Map<string, PlistValue> {
  const found = new Map<string, PlistValue>();
  for (const [, key = '', value = ''] of xml.matchAll(/<key>([^<]{1,100})<\/key>\s*<(?:string|date)>([^<]{0,500})</g))
    found.set(key, value);
  return found;
}

function readEdit(plist: PlistValue): Record<string, unknown> | null {
  if (!(plist instanceof Map) || !plist.has('adjustmentFormatIdentifier')) return null;
  const time = plist.get('adjustmentTimestamp');
  return { editor: plist.get('adjustmentEditorBundleID') || plist.get('adjustmentFormatIdentifier'), time };
}
