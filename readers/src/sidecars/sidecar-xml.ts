import { SaxesParser } from 'saxes';

/** What a sidecar says about the file it accompanies. Raw values are kept under prefixed keys; title and year are offered to the item. */
export interface SidecarFacts {
  raw: Record<string, unknown>;
  title: string | null;
  year: number | null;
  externalIds: Record<string, string>;
}

export function parseYear(text: string | null): number | null {
  const year = Number(/\b(1[5-9]\d\d|2[01]\d\d)\b/.exec(text ?? '')?.[1]);
  return Number.isInteger(year) && year > 0 ? year : null;
}

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

const deepest = 32;
const mostElements = 20_000;

/**
 * Reads a small XML document into elements, for files nobody vouches for: no document type, no entities of its own, bounded depth and count.
 * Text after the root is ignored, for media centres put addresses there. Null when it is not such a document.
 */
export function parseSmallXml(text: string): XmlElement | null {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return null;
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  let done = false;
  class Refused extends Error {}
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (done) return;
    elements += 1;
    if (open.length >= deepest || elements > mostElements) throw new Refused();
    const element: XmlElement = { name: name.toLowerCase(), attributes: attributes as Record<string, string>, text: '', children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const collect = (piece: string): void => {
    const at = open.at(-1);
    if (at && !done) at.text += piece;
  };
  parser.on('text', collect);
  parser.on('cdata', collect);
  parser.on('closetag', () => {
    open.pop();
    if (open.length === 0) done = true;
  });
  try {
    parser.write(text.replace(/^\uFEFF/, '')).close();
  } catch {
    // What follows a complete root does not matter; anything else does.
    if (!done) return null;
  }
  return root;
}

/** Text of the first child of that name, trimmed; null when there is none or it is empty. */
export function childText(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text.trim() || null;
}

export function childTexts(element: XmlElement, name: string): string[] {
  return element.children
    .filter((child) => child.name === name)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
}
