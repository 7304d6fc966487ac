import { ExtractError } from '../../contract.ts';

/**
 * Nearly all of a 3MF part is one long run of `<vertex/>` and another of `<triangle/>`. They are read here tag by tag, five times as fast
 * as through the XML parser, which gets everything else. States: `xml` (text goes to the parser until a list opens) and `list` (tags are
 * read here until one closes). What a list holds besides its own tags is passed over.
 */
export interface ListHandlers {
  xml(text: string): void;
  vertex(x: number, y: number, z: number): void;
  triangle(a: number, b: number, c: number): void;
}

const maxTag = 1 << 16;
const listOpening = /<(?:vertices|triangles)(?:\s[^<>]*[^<>/])?>/;
const vertexTag = /^<vertex x="([^"]*)" y="([^"]*)" z="([^"]*)"/;
const triangleTag = /^<triangle v1="([^"]*)" v2="([^"]*)" v3="([^"]*)"/;

export function createListReader(handlers: ListHandlers): { write(piece: string): void; end(): void } {
  let rest = '';
  let inList = false;

  const readXml = (): boolean => {
    const found = listOpening.exec(rest);
    if (found) {
      const end = found.index + found[0].length;
      handlers.xml(rest.slice(0, end));
      rest = rest.slice(end);
      inList = true;
      return true;
    }
    // A tag may continue in the next piece.
    const open = rest.lastIndexOf('<');
    const keep = open !== -1 && rest.indexOf('>', open) === -1 ? open : rest.length;
    handlers.xml(rest.slice(0, keep));
    rest = rest.slice(keep);
    return false;
  };
  const readList = (): boolean => {
    let at = 0;
    for (;;) {
      const start = rest.indexOf('<', at);
      const end = start === -1 ? -1 : rest.indexOf('>', start);
      if (end === -1) {
        rest = start === -1 ? '' : rest.slice(start);
        return false;
      }
      if (rest.charCodeAt(start + 1) === 0x2f) {
        rest = rest.slice(start);
        inList = false;
        return true;
      }
      readTag(rest.slice(start, end), handlers);
      at = end + 1;
    }
  };
  return {
    write(piece) {
      rest += piece;
      while (inList ? readList() : readXml());
      if (rest.length > maxTag) throw new ExtractError('guard', 'A tag of the model is too long.');
    },
    end() {
      if (inList) throw new ExtractError('corrupt', 'The model ends inside a list.');
      handlers.xml(rest);
      rest = '';
    },
  };
}

function readTag(tag: string, handlers: ListHandlers): void {
  if (tag.startsWith('<vertex')) {
    const plain = vertexTag.exec(tag);
    if (plain) handlers.vertex(Number(plain[1]), Number(plain[2]), Number(plain[3]));
    else handlers.vertex(attribute(tag, 'x'), attribute(tag, 'y'), attribute(tag, 'z'));
  } else if (tag.startsWith('<triangle')) {
    const plain = triangleTag.exec(tag);
    if (plain) handlers.triangle(Number(plain[1]), Number(plain[2]), Number(plain[3]));
    else handlers.triangle(attribute(tag, 'v1'), attribute(tag, 'v2'), attribute(tag, 'v3'));
  }
}

/** An attribute wherever it stands in the tag and however it is quoted. */
function attribute(tag: string, name: string): number {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? Number(found[1] ?? found[2]) : Number.NaN;
}
