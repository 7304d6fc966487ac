import { ExtractError, type Extracted } from '../../contract.ts';
import { type FileBytes, fileChunks } from '../../input/file-bytes.ts';
import { withoutEmpty } from '../text-head.ts';

const headerBytes = 256 * 1024;
/** Beyond this many bytes entities are no longer counted one by one. */
const countBytes = 512 * 1024 * 1024;

/** STEP and IFC (ISO 10303-21): the header's statements, the number of entities, the unit of length and the names of products. */
export function readStepFile(file: FileBytes, format: 'step' | 'ifc'): Extracted {
  const text = file.read(0, headerBytes).toString('latin1');
  const end = text.indexOf('ENDSEC;');
  if (end === -1) throw new ExtractError('corrupt', 'The header of the model does not end.');
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

/** Some programs put the whole path of their own machine into the name. */
const withoutPath = (name: string | undefined): string | undefined => name?.replace(/^.*[\\/]/, '');

/** The text arguments of a header statement, lists flattened to their first text. */
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

/** Text in STEP doubles its quotes and writes other letters as \X2\00E9\X0\. */
export function decodeStepText(text: string | undefined): string | undefined {
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
    const piece = rest + chunk.toString('latin1');
    const cut = piece.lastIndexOf(';') + 1;
    rest = piece.slice(cut).slice(-65_536);
    const text = piece.slice(0, cut);
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
