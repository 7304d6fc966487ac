import { createXmlReader } from '../../input/xml.ts';
import { identity, type Matrix } from './matrix.ts';
import { createListReader } from './three-mf-lists.ts';
import { type CornerList, createCornerList, createPointList, type PointList } from './mesh.ts';

/** An object named by a build item or a component, with its place. */
export interface PlacedObject {
  objectId: string;
  matrix: Matrix;
  /** Another part of the same package. */
  path?: string;
}

export interface ModelObject {
  points: PointList;
  triangles: CornerList;
  components: PlacedObject[];
}

export interface ModelPart {
  unit: string;
  objects: Map<string, ModelObject>;
  items: PlacedObject[];
  title?: string;
  designer?: string;
  application?: string;
}

/** Parses one model part as its XML arrives. */
export function parseModelPart(): { write(text: string): void; end(): ModelPart } {
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
    text(piece) {
      if (metadata !== undefined && text.length < 1000) text += piece;
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
    write: (piece) => lists.write(piece),
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

/** Twelve numbers, row by row without the last column, become our columns. */
function matrixOf(text: string | undefined): Matrix {
  const n = text?.trim().split(/\s+/).map(Number) ?? [];
  if (n.length !== 12 || n.some(Number.isNaN)) return identity;
  return [n[0]!, n[1]!, n[2]!, 0, n[3]!, n[4]!, n[5]!, 0, n[6]!, n[7]!, n[8]!, 0, n[9]!, n[10]!, n[11]!, 1];
}
