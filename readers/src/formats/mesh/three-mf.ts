// biome-ignore-all lint/style/noNonNullAssertion: corners are checked against the number of points, and matrices have sixteen elements.
import { ExtractError, type Limits } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';
import { createXmlReader } from '../../input/xml.ts';
import { openZip, type Zip, type ZipEntry } from '../../input/zip.ts';
import {
  type CornerList,
  createBounds,
  createCornerList,
  createPointList,
  identity,
  type Matrix,
  type MeshFacts,
  multiply,
  type PointList,
  type TriangleVisitor,
  transform,
} from './mesh.ts';

const maxInstances = 100_000;
const maxDepth = 64;

/** 3MF: a zip of XML parts. Build items and components place objects, each with a transform. */
export async function readThreeMf(file: FileBytes, limits: Limits, visit?: TriangleVisitor): Promise<MeshFacts> {
  const zip = openZip(file, limits);
  const parts = new Map<string, ModelPart>();
  for (const entry of zip.entries) {
    if (/\.model$/i.test(entry.name)) parts.set(absoluteName(entry.name), await readPart(zip, entry));
  }
  const root = [...parts.keys()].find((name) => /^\/3d\/[^/]*\.model$/i.test(name)) ?? [...parts.keys()][0];
  if (root === undefined) throw new ExtractError('corrupt', 'The model part is missing.');
  const main = parts.get(root)!;
  const bounds = createBounds();
  const facts: MeshFacts = { format: '3mf', triangles: 0, vertices: 0, meshes: 0, bounds, units: main.unit };
  let placed = 0;
  const placeObject = (item: PlacedObject, from: string, parent: Matrix, depth: number): void => {
    const name = item.path === undefined ? from : absoluteName(item.path);
    const object = parts.get(name)?.objects.get(item.objectId);
    if (!object) return;
    if (++placed > maxInstances || depth > maxDepth) throw new ExtractError('guard', 'The model has too many or too deeply nested parts.');
    const matrix = multiply(parent, item.matrix);
    if (object.triangles.count > 0 || object.points.count > 0) {
      facts.meshes++;
      facts.triangles += object.triangles.count;
      facts.vertices += object.points.count;
      visitObject(object.points, object.triangles, matrix, bounds, visit);
    }
    for (const component of object.components) placeObject(component, name, matrix, depth + 1);
  };
  const items = main.items.length > 0 ? main.items : [...main.objects.keys()].map((objectId) => ({ objectId, matrix: identity }));
  for (const item of items) placeObject(item, root, identity, 0);
  if (main.title !== undefined) facts.title = main.title;
  if (main.designer !== undefined) facts.author = main.designer;
  if (main.application !== undefined) facts.generator = main.application;
  return facts;
}

const absoluteName = (name: string): string => (name.startsWith('/') ? name : `/${name}`);

async function readPart(zip: Zip, entry: ZipEntry): Promise<ModelPart> {
  const parser = parseModelPart();
  const decoder = new TextDecoder();
  for await (const chunk of zip.stream(entry)) parser.write(decoder.decode(chunk, { stream: true }));
  return parser.end();
}

function visitObject(points: PointList, triangles: CornerList, matrix: Matrix, bounds: MeshFacts['bounds'], visit?: TriangleVisitor): void {
  const world = new Float32Array(points.count * 3);
  for (let i = 0; i < world.length; i += 3) {
    const [x, y, z] = transform(matrix, points.data[i]!, points.data[i + 1]!, points.data[i + 2]!);
    world[i] = x;
    world[i + 1] = y;
    world[i + 2] = z;
    bounds.add(x, y, z);
  }
  const corners = triangles.data;
  for (let i = 0; i < triangles.count * 3; i += 3) {
    const a = corners[i]! * 3;
    const b = corners[i + 1]! * 3;
    const c = corners[i + 2]! * 3;
    if (Math.max(a, b, c) >= world.length) throw new ExtractError('corrupt', 'A face of the model refers to a missing point.');
    visit?.(world[a]!, world[a + 1]!, world[a + 2]!, world[b]!, world[b + 1]!, world[b + 2]!, world[c]!, world[c + 1]!, world[c + 2]!);
  }
}

/** A reference to an object from a build item or component, with its transform. */
interface PlacedObject {
  objectId: string;
  matrix: Matrix;
  /** Set when the object is in another part of the package. */
  path?: string;
}

interface ModelObject {
  points: PointList;
  triangles: CornerList;
  components: PlacedObject[];
}

interface ModelPart {
  unit: string;
  objects: Map<string, ModelObject>;
  items: PlacedObject[];
  title?: string;
  designer?: string;
  application?: string;
}

/** Parses one model part incrementally. */
function parseModelPart(): { write(text: string): void; end(): ModelPart } {
  const part: ModelPart = { unit: 'millimeter', objects: new Map(), items: [] };
  let object: (ModelObject & { id: string }) | undefined;
  let metadata: string | undefined;
  let text = '';
  const placed = (attributes: Record<string, string>): PlacedObject => ({
    objectId: attributes['objectid'] ?? '',
    matrix: matrixOf(attributes['transform']),
    ...(attributes['path'] === undefined ? {} : { path: attributes['path'] }),
  });
  const reader = createXmlReader({
    open(name, attributes) {
      if (name === 'vertex') object?.points.add(Number(attributes['x']), Number(attributes['y']), Number(attributes['z']));
      else if (name === 'triangle') object?.triangles.add(Number(attributes['v1']), Number(attributes['v2']), Number(attributes['v3']));
      else if (name === 'object')
        object = { id: attributes['id'] ?? '', points: createPointList(), triangles: createCornerList(), components: [] };
      else if (name === 'component') object?.components.push(placed(attributes));
      else if (name === 'item') part.items.push(placed(attributes));
      else if (name === 'model') part.unit = attributes['unit'] ?? part.unit;
      else if (name === 'metadata') {
        metadata = attributes['name'];
        text = '';
      }
    },
    text(chunk) {
      if (metadata !== undefined && text.length < 1000) text += chunk;
    },
    close(name) {
      if (name === 'object' && object) {
        part.objects.set(object.id, object);
        object = undefined;
      } else if (name === 'metadata') {
        setMetadata(part, metadata, text.trim().slice(0, 300));
        metadata = undefined;
      }
    },
  });
  const lists = createListReader({
    xml: (text) => reader.write(text),
    vertex: (x, y, z) => object?.points.add(x, y, z),
    triangle: (a, b, c) => object?.triangles.add(a, b, c),
  });
  return {
    write: (chunk) => lists.write(chunk),
    end() {
      lists.end();
      reader.end();
      return part;
    },
  };
}

function setMetadata(part: ModelPart, name: string | undefined, value: string): void {
  if (value === '') return;
  if (name === 'Title') part.title = value;
  else if (name === 'Designer') part.designer = value;
  else if (name === 'Application') part.application = value;
}

/** 3MF stores twelve numbers in row-major order without the last column. */
function matrixOf(text: string | undefined): Matrix {
  const n = text?.trim().split(/\s+/).map(Number) ?? [];
  if (n.length !== 12 || n.some(Number.isNaN)) return identity;
  return [n[0]!, n[1]!, n[2]!, 0, n[3]!, n[4]!, n[5]!, 0, n[6]!, n[7]!, n[8]!, 0, n[9]!, n[10]!, n[11]!, 1];
}

/**
 * Almost all of a 3MF part consists of `<vertex/>` and `<triangle/>` lists. Scanning them directly is five times as fast as the XML parser,
 * which gets everything else. States: `xml` (text goes to the parser until a list opens) and `list` (tags are scanned until the list
 * closes; other tags in it are ignored).
 */
interface ListHandlers {
  xml(text: string): void;
  vertex(x: number, y: number, z: number): void;
  triangle(a: number, b: number, c: number): void;
}

const maxTag = 1 << 16;
const listOpening = /<(?:vertices|triangles)(?:\s[^<>]*[^<>/])?>/;
const vertexTag = /^<vertex x="([^"]*)" y="([^"]*)" z="([^"]*)"/;
const triangleTag = /^<triangle v1="([^"]*)" v2="([^"]*)" v3="([^"]*)"/;

export function createListReader(handlers: ListHandlers): { write(chunk: string): void; end(): void } {
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
    // A tag may continue in the next chunk.
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
    write(chunk) {
      rest += chunk;
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

/** Finds an attribute in any position and with either kind of quotes. */
function attribute(tag: string, name: string): number {
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(tag);
  return found ? Number(found[1] ?? found[2]) : Number.NaN;
}
