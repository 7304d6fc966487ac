/**
 * XML for hostile files: no entity is ever declared or expanded, nothing is fetched, nesting and attribute counts are capped. Documents
 * arrive in pieces and are never held whole.
 */
import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import { ExtractError } from '../contract.ts';

export interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>, depth: number): void;
  close?(name: string, depth: number): void;
  text?(text: string): void;
}

export interface XmlReader {
  write(piece: string): void;
  /** Throws when the document is not complete. */
  end(): void;
}

const MAX_DEPTH = 512;

export interface XmlOptions {
  /** Give names without their namespace prefix; so unless told otherwise. */
  localNames?: boolean;
  /** Accept short literal entities, as drawing programs declare them for namespaces; any other declaration stays a guard. */
  literalEntities?: boolean;
}

export function createXmlReader(handlers: XmlHandlers, options: XmlOptions = {}): XmlReader {
  const localNames = options.localNames ?? true;
  const parser = new SaxesParser({ xmlns: false, position: false });
  const short = (name: string): string => (localNames ? name.slice(name.indexOf(':') + 1) : name);
  let depth = 0;
  Object.assign(parser.ENTITIES, commonEntities);
  parser.on('error', (error) => {
    throw new ExtractError('corrupt', `The XML is damaged: ${error.message.slice(0, 120)}`);
  });
  parser.on('doctype', (doctype) => {
    if (!/<!ENTITY/i.test(doctype)) return;
    const plain = options.literalEntities ? readPlainEntities(doctype) : null;
    if (plain === null) throw new ExtractError('guard', 'The XML declares entities, which are not expanded.');
    Object.assign(parser.ENTITIES, plain);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > MAX_DEPTH) throw new ExtractError('guard', `The XML is nested deeper than ${MAX_DEPTH} levels.`);
    if (handlers.open === undefined) return;
    const attributes: Record<string, string> = {};
    for (const key in tag.attributes) attributes[short(key)] = tag.attributes[key] as string;
    handlers.open(short(tag.name), attributes, depth);
  });
  parser.on('closetag', (tag) => {
    handlers.close?.(short(tag.name), depth);
    depth -= 1;
  });
  if (handlers.text !== undefined) {
    parser.on('text', handlers.text);
    parser.on('cdata', handlers.text);
  }
  return {
    write: (piece) => void parser.write(piece),
    end: () => void parser.close(),
  };
}

const MAX_ENTITIES = 64;

/** Entities that are short literal texts without anything to expand in them; null as soon as one is more than that. */
function readPlainEntities(doctype: string): Record<string, string> | null {
  const declared = doctype.match(/<!ENTITY/gi)?.length ?? 0;
  const plain: Record<string, string> = {};
  let found = 0;
  for (const [, name, double, single] of doctype
    .slice(0, 65_536)
    .matchAll(/<!ENTITY\s{1,8}([A-Za-z_][\w.-]{0,63})\s{1,8}(?:"([^"&%<]{0,256})"|'([^'&%<]{0,256})')\s{0,8}>/g)) {
    plain[name as string] = double ?? single ?? '';
    found += 1;
  }
  return found === declared && found <= MAX_ENTITIES ? plain : null;
}

export function readXml(text: string, handlers: XmlHandlers, options?: XmlOptions): void {
  const reader = createXmlReader(handlers, options);
  reader.write(text);
  reader.end();
}

/** Decodes the pieces and parses them; `enough` ends the reading early and then the rest is not judged. */
export async function readXmlChunks(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  handlers: XmlHandlers,
  options: XmlOptions & { shouldStop?: () => boolean } = {},
): Promise<void> {
  const reader = createXmlReader(handlers, options);
  let decoder: TextDecoder | undefined;
  for await (const piece of pieces) {
    decoder ??= new TextDecoder(xmlEncoding(piece));
    reader.write(decoder.decode(piece, { stream: true }));
    if (options.shouldStop?.()) return;
  }
  if (decoder === undefined) throw new ExtractError('corrupt', 'The XML is empty.');
  reader.write(decoder.decode());
  reader.end();
}

/** The encoding an XML document names in its first bytes; UTF-8 when it names none we know. */
export function xmlEncoding(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const named = /^[^>]{0,200}encoding\s*=\s*["']([A-Za-z0-9._-]{2,40})["']/.exec(head.subarray(0, 256).toString('latin1'))?.[1];
  if (named === undefined || /^utf-16/i.test(named)) return 'utf-8';
  try {
    return new TextDecoder(named).encoding;
  } catch {
    return 'utf-8';
  }
}

/** Names from HTML that e-books use without declaring them. */
const commonEntities: Record<string, string> = {
  nbsp: '\u00a0',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  mdash: '—',
  ndash: '–',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  bull: '•',
  middot: '·',
  deg: '°',
  sect: '§',
  para: '¶',
  times: '×',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  ntilde: 'ñ',
  oacute: 'ó',
  iacute: 'í',
  aacute: 'á',
  euro: '€',
  pound: '£',
  shy: '',
};
