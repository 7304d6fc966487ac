import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Words of one line mean the same to the tiny model; any other word means nothing to it. */
const meanings = [
  ['boat', 'ship', 'vessel', 'yacht'],
  ['car', 'automobile', 'vehicle'],
  ['invoice', 'bill', 'payment'],
  ['dog', 'puppy', 'hound'],
  ['garden', 'flowers', 'plants'],
];
const dimension = 16;

/**
 * Writes a complete embedding model into a folder and returns it: a tokenizer, and an ONNX file whose only node looks up the vector of each
 * token. It is loaded by the real runtime like any other model.
 */
export function writeTinyModel(folder = mkdtempSync(path.join(os.tmpdir(), 'tiny-model-'))): string {
  const special = ['[PAD]', '[UNK]', '[CLS]', '[SEP]'];
  const words = [...special, ...meanings.flat()];
  const table = new Float32Array(words.length * dimension);
  // Unknown words point into a direction of their own; the marks have no direction.
  table[1 * dimension + dimension - 1] = 0.1;
  for (const [axis, line] of meanings.entries())
    for (const [at, word] of line.entries()) {
      const row = words.indexOf(word) * dimension;
      table[row + axis] = 1;
      table[row + meanings.length + at] = 0.2;
    }
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'model.onnx'), onnxLookup(table, words.length));
  writeFileSync(path.join(folder, 'config.json'), JSON.stringify({ max_position_embeddings: 32, hidden_size: dimension }));
  writeFileSync(
    path.join(folder, 'tokenizer.json'),
    JSON.stringify({
      normalizer: { type: 'BertNormalizer', lowercase: true },
      model: { type: 'WordPiece', unk_token: '[UNK]', vocab: Object.fromEntries(words.map((word, id) => [word, id])) },
    }),
  );
  return folder;
}

/** An ONNX model in the protobuf encoding: output[1, n, dimension] = Gather(table, input_ids[1, n]). */
function onnxLookup(table: Float32Array, rows: number): Buffer {
  const float = 1;
  const int64 = 7;
  const valueInfo = (name: string, type: number, dims: (number | string)[]) =>
    message(
      text(1, name),
      part(2, part(1, number(1, type), part(2, ...dims.map((dim) => part(1, typeof dim === 'number' ? number(1, dim) : text(2, dim)))))),
    );
  const initializer = message(
    number(1, rows),
    number(1, dimension),
    number(2, float),
    text(8, 'table'),
    bytes(9, Buffer.from(table.buffer)),
  );
  const node = message(text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather'));
  const graph = message(
    bytes(1, node),
    text(2, 'lookup'),
    bytes(5, initializer),
    bytes(11, valueInfo('input_ids', int64, [1, 'n'])),
    bytes(12, valueInfo('last_hidden_state', float, [1, 'n', dimension])),
  );
  return message(number(1, 8), bytes(7, graph), part(8, number(2, 13)));
}

function varint(value: number): Buffer {
  const out: number[] = [];
  for (; value > 127; value = Math.floor(value / 128)) out.push((value % 128) + 128);
  return Buffer.from([...out, value]);
}
const message = (...fields: Buffer[]): Buffer => Buffer.concat(fields);
const number = (field: number, value: number): Buffer => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field: number, value: Buffer): Buffer => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);
const text = (field: number, value: string): Buffer => bytes(field, Buffer.from(value));
const part = (field: number, ...fields: Buffer[]): Buffer => bytes(field, message(...fields));
