/**
 * A streaming XML reader for untrusted files: entities are not expanded (except short literals on request), nothing is fetched, nesting is
 * limited, and a document is never held in memory as a whole.
 */
import { SaxesParser } from 'saxes';
import { ExtractError } from '../contract.ts';
import { type CharsetDecoder, charsetDecoder } from './charset.ts';
import { declaredEncoding } from './text-encoding.ts';

export interface XmlHandlers {
  open?(name: string, attributes: Record<string, string>, depth: number): void;
  close?(name: string, depth: number): void;
  text?(text: string): void;
}

interface XmlReader {
  write(chunk: string): void;
  /** Throws when the document is incomplete. */
  end(): void;
}

const maxDepth = 512;

interface XmlOptions {
  /** Whether names are reported without their namespace prefix; true by default. */
  localNames?: boolean;
  /** Accepts short literal entities, which drawing programs declare for namespaces. Any other declaration is a guard error. */
  literalEntities?: boolean;
}

export function createXmlReader(handlers: XmlHandlers, options: XmlOptions = {}): XmlReader {
  const localNames = options.localNames ?? true;
  const parser = new SaxesParser({ xmlns: false, position: false });
  const reportedName = (name: string): string => (localNames ? name.slice(name.indexOf(':') + 1) : name);
  let depth = 0;
  Object.assign(parser.ENTITIES, htmlEntities);
  parser.on('error', (error) => {
    throw new ExtractError('corrupt', `The XML is damaged: ${error.message.slice(0, 120)}`);
  });
  parser.on('doctype', (doctype) => {
    if (!/<!ENTITY/i.test(doctype)) return;
    const entities = options.literalEntities ? readLiteralEntities(doctype) : null;
    if (entities === null) throw new ExtractError('guard', 'The XML declares entities, which are not expanded.');
    Object.assign(parser.ENTITIES, entities);
  });
  parser.on('opentag', (tag) => {
    depth += 1;
    if (depth > maxDepth) throw new ExtractError('guard', `The XML is nested deeper than ${maxDepth} levels.`);
    if (handlers.open === undefined) return;
    const attributes: Record<string, string> = {};
    for (const key in tag.attributes) attributes[reportedName(key)] = tag.attributes[key] as string;
    handlers.open(reportedName(tag.name), attributes, depth);
  });
  parser.on('closetag', (tag) => {
    handlers.close?.(reportedName(tag.name), depth);
    depth -= 1;
  });
  if (handlers.text !== undefined) {
    parser.on('text', handlers.text);
    parser.on('cdata', handlers.text);
  }
  return {
    write: (chunk) => void parser.write(chunk),
    end: () => void parser.close(),
  };
}

const maxEntities = 64;

/** Reads entities that are short literal texts; null if any entity is longer or contains references. */
function readLiteralEntities(doctype: string): Record<string, string> | null {
  const declared = doctype.match(/<!ENTITY/gi)?.length ?? 0;
  const entities: Record<string, string> = {};
  let found = 0;
  for (const [, name, double, single] of doctype
    .slice(0, 65_536)
    .matchAll(/<!ENTITY\s{1,8}([A-Za-z_][\w.-]{0,63})\s{1,8}(?:"([^"&%<]{0,256})"|'([^'&%<]{0,256})')\s{0,8}>/g)) {
    entities[name as string] = double ?? single ?? '';
    found += 1;
  }
  return found === declared && found <= maxEntities ? entities : null;
}

export function readXml(text: string, handlers: XmlHandlers, options?: XmlOptions): void {
  const reader = createXmlReader(handlers, options);
  reader.write(text);
  reader.end();
}

/** Decodes and parses chunks. When `shouldStop` returns true, the rest is neither read nor checked. */
export async function readXmlChunks(
  chunks: AsyncIterable<Buffer> | Iterable<Buffer>,
  handlers: XmlHandlers,
  options: XmlOptions & { shouldStop?: () => boolean } = {},
): Promise<void> {
  const reader = createXmlReader(handlers, options);
  let decoder: CharsetDecoder | undefined;
  for await (const chunk of chunks) {
    decoder ??= xmlDecoder(chunk);
    reader.write(decoder.decode(chunk, { stream: true }));
    if (options.shouldStop?.()) return;
  }
  if (decoder === undefined) throw new ExtractError('corrupt', 'The XML is empty.');
  reader.write(decoder.decode());
  reader.end();
}

/** A decoder for the encoding that the first bytes of a document declare; UTF-8 when none is declared or it is unknown. */
function xmlDecoder(head: Buffer): CharsetDecoder {
  const start = head.subarray(0, 4).toString('hex');
  if (start.startsWith('fffe') || start === '3c003f00') return new TextDecoder('utf-16le');
  if (start.startsWith('feff') || start === '003c003f') return new TextDecoder('utf-16be');
  const declared = declaredEncoding(head);
  if (declared === undefined || /^(utf-?16|ucs|iso-10646)/i.test(declared)) return new TextDecoder('utf-8');
  return charsetDecoder(declared) ?? new TextDecoder('utf-8');
}

/** HTML entities that e-books use without declaring them. */
const htmlEntities: Record<string, string> = {
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
