import { SaxesParser } from 'saxes';

/** The facts in a sidecar. `raw` holds all values under prefixed keys; `title` and `year` may be applied to the item. */
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

interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

const maxDepth = 32;
const maxElements = 20_000;

/**
 * Parses a small untrusted XML document: no document type, no entities, limited depth and element count. Text after the root element is
 * ignored, because media centres write URLs there. Returns null when the text is not such a document.
 */
export function parseSmallXml(text: string): XmlElement | null {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) return null;
  const parser = new SaxesParser({ xmlns: false, position: false });
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  let done = false;
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (done) return;
    elements += 1;
    if (open.length >= maxDepth || elements > maxElements) throw new Error('The document is too large.');
    const element: XmlElement = { name: name.toLowerCase(), attributes: attributes as Record<string, string>, text: '', children: [] };
    open.at(-1)?.children.push(element);
    root ??= element;
    open.push(element);
  });
  const addText = (text: string): void => {
    const at = open.at(-1);
    if (at && !done) at.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    open.pop();
    if (open.length === 0) done = true;
  });
  try {
    parser.write(text.replace(/^\uFEFF/, '')).close();
  } catch {
    // Errors after a complete root element are ignored.
    if (!done) return null;
  }
  return root;
}

/** The trimmed text of the first child with that name; null when it is missing or empty. */
export function childText(element: XmlElement, name: string): string | null {
  return element.children.find((child) => child.name === name)?.text.trim() || null;
}

export function childTexts(element: XmlElement, name: string): string[] {
  return element.children
    .filter((child) => child.name === name)
    .map(({ text }) => text.trim())
    .filter((text) => text !== '');
}
