import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

/** The parts of a glTF document that are read here. Everything may be missing: the file was written by a stranger. */
export interface GltfDocument {
  asset?: { version?: string; generator?: string; copyright?: string };
  scene?: number;
  scenes?: { nodes?: number[]; name?: string }[];
  nodes?: GltfNode[];
  meshes?: { primitives?: GltfPrimitive[]; name?: string }[];
  accessors?: GltfAccessor[];
  bufferViews?: { buffer?: number; byteOffset?: number; byteLength?: number; byteStride?: number }[];
  buffers?: { uri?: string; byteLength?: number }[];
  materials?: unknown[];
  animations?: unknown[];
  extensionsRequired?: string[];
}
export interface GltfNode {
  children?: number[];
  mesh?: number;
  matrix?: number[];
  translation?: number[];
  rotation?: number[];
  scale?: number[];
}
export interface GltfPrimitive {
  attributes?: { POSITION?: number };
  indices?: number;
  mode?: number;
  extensions?: Record<string, unknown>;
}
export interface GltfAccessor {
  bufferView?: number;
  byteOffset?: number;
  componentType?: number;
  normalized?: boolean;
  count?: number;
  type?: string;
  min?: number[];
  max?: number[];
}

export interface Gltf {
  document: GltfDocument;
  /** Where the binary chunk of a .glb lies. */
  binary?: { offset: number; length: number };
}

const maxJsonBytes = 128 * 1024 * 1024;

/** Reads the JSON of a .gltf or .glb; the binary chunk is only located. */
export function openGltf(file: FileBytes): Gltf {
  const head = file.read(0, 20);
  if (head.length === 20 && head.toString('latin1', 0, 4) === 'glTF') {
    const length = head.readUInt32LE(12);
    if (head.readUInt32LE(16) !== 0x4e4f534a) throw new ExtractError('corrupt', 'The description of the model is missing.');
    const document = parse(file, 20, length);
    const next = 20 + length;
    const chunk = file.read(next, 8);
    if (chunk.length < 8 || chunk.readUInt32LE(4) !== 0x004e4942) return { document };
    const binary = { offset: next + 8, length: chunk.readUInt32LE(0) };
    if (binary.offset + binary.length > file.size) throw new ExtractError('corrupt', 'The file ends too early.');
    return { document, binary };
  }
  return { document: parse(file, 0, file.size) };
}

function parse(file: FileBytes, offset: number, length: number): GltfDocument {
  if (length > maxJsonBytes) throw new ExtractError('guard', 'The description of the model is larger than 128 MiB.');
  const text = file.need(offset, length).toString('utf8');
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new ExtractError('corrupt', 'The description of the model is damaged.');
  }
  if (typeof document !== 'object' || document === null || !('asset' in document))
    throw new ExtractError('corrupt', 'This is not a glTF model.');
  return document as GltfDocument;
}

/** Reads the numbers of an accessor, from the binary chunk or from a buffer written into the document. Other files are never opened. */
export function createAccessorReader(file: FileBytes, gltf: Gltf) {
  const inline = new Map<number, Buffer>();
  const bytesOf = (buffer: number, offset: number, length: number): Buffer | undefined => {
    const uri = gltf.document.buffers?.[buffer]?.uri;
    if (uri === undefined)
      return gltf.binary && offset + length <= gltf.binary.length ? file.need(gltf.binary.offset + offset, length) : undefined;
    const comma = uri.startsWith('data:') ? uri.indexOf('base64,') : -1;
    if (comma < 0) return undefined;
    if (!inline.has(buffer)) inline.set(buffer, Buffer.from(uri.slice(comma + 7), 'base64'));
    const whole = inline.get(buffer)!;
    return offset + length <= whole.length ? whole.subarray(offset, offset + length) : undefined;
  };
  /** Undefined when the data is not in this file or does not fit. */
  return (index: number | undefined, width: number): Float64Array | undefined => {
    const accessor = index === undefined ? undefined : gltf.document.accessors?.[index];
    const view = gltf.document.bufferViews?.[accessor?.bufferView ?? -1];
    const kind = componentKinds[accessor?.componentType ?? 0];
    const count = accessor?.count ?? 0;
    if (!accessor || !view || !kind || !Number.isSafeInteger(count) || count <= 0) return undefined;
    const step = view.byteStride || kind.bytes * width;
    const start = (view.byteOffset ?? 0) + (accessor.byteOffset ?? 0);
    const bytes = bytesOf(view.buffer ?? 0, start, step * (count - 1) + kind.bytes * width);
    if (!bytes) return undefined;
    const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
    const out = new Float64Array(count * width);
    const divide = accessor.normalized ? kind.largest : 1;
    for (let i = 0; i < count; i++) for (let c = 0; c < width; c++) out[i * width + c] = kind.get(data, i * step + c * kind.bytes) / divide;
    return out;
  };
}

const componentKinds: Record<number, { bytes: number; largest: number; get(view: DataView, at: number): number }> = {
  5120: { bytes: 1, largest: 127, get: (view, at) => view.getInt8(at) },
  5121: { bytes: 1, largest: 255, get: (view, at) => view.getUint8(at) },
  5122: { bytes: 2, largest: 32_767, get: (view, at) => view.getInt16(at, true) },
  5123: { bytes: 2, largest: 65_535, get: (view, at) => view.getUint16(at, true) },
  5125: { bytes: 4, largest: 1, get: (view, at) => view.getUint32(at, true) },
  5126: { bytes: 4, largest: 1, get: (view, at) => view.getFloat32(at, true) },
};
