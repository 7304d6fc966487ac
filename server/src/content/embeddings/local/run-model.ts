import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { InferenceSession, Tensor } from 'onnxruntime-web';
import { familyOf } from '../families.ts';
import { findWeights, weightFiles } from '../model-folder.ts';
import { toUnitLength } from '../port.ts';
import { createTokenizer } from './tokenizer.ts';

interface OpenModel {
  dimension: number;
  revision: string;
  runtime: string;
  embed(text: string): Promise<Float32Array>;
}

/** Reads no more than this, whatever the model allows: longer inputs cost much and say little more. */
const maxTokensRead = 512;

export async function openModel(folder: string, name: string): Promise<OpenModel> {
  const weights = findWeights(folder);
  if (!weights) throw new Error(`The folder ${folder} has no ONNX weights. Expected one of: ${weightFiles.join(', ')}.`);
  const bytes = readFileSync(path.join(folder, weights));
  const tokenizerText = readFileSync(path.join(folder, 'tokenizer.json'));
  const tokenizer = createTokenizer(JSON.parse(tokenizerText.toString('utf8')));
  const maxTokens = Math.min(maxTokensRead, readNumber(folder, 'config.json', 'max_position_embeddings') ?? maxTokensRead);
  const { runtime, ort } = await loadRuntime();
  const session = await ort.InferenceSession.create(bytes, { intraOpNumThreads: 1, interOpNumThreads: 1, graphOptimizationLevel: 'all' });
  const pooling = readPooling(folder) ?? familyOf(name).pooling;

  const embed = async (text: string): Promise<Float32Array> => {
    const ids = tokenizer.encode(text, maxTokens);
    const shape = [1, ids.length];
    const filled = (values: BigInt64Array) => new ort.Tensor('int64', values, shape);
    const inputs: Record<string, Tensor> = {
      input_ids: filled(BigInt64Array.from(ids, BigInt)),
      attention_mask: filled(new BigInt64Array(ids.length).fill(1n)),
      token_type_ids: filled(new BigInt64Array(ids.length)),
    };
    const feeds = Object.fromEntries(session.inputNames.map((input) => [input, requireInput(inputs, input)]));
    const results = await session.run(feeds);
    const output = (results['sentence_embedding'] ?? results['last_hidden_state'] ?? Object.values(results)[0]) as Tensor;
    return toUnitLength(pool(output.data as Float32Array, output.dims, pooling));
  };
  const { length: dimension } = await embed('dimension');
  const revision = createHash('sha256').update(bytes).update(tokenizerText).update(pooling).digest('hex').slice(0, 16);
  return { dimension, revision, runtime, embed };
}

function requireInput(inputs: Record<string, Tensor>, name: string): Tensor {
  const tensor = inputs[name];
  if (!tensor) throw new Error(`The model needs the input ${name}, which a text embedding model does not have.`);
  return tensor;
}

/** Every token counts as much as any other, because a single text needs no padding. */
function pool(data: Float32Array, dims: readonly number[], pooling: 'mean' | 'first'): Float32Array {
  if (dims.length === 2) return Float32Array.from(data);
  const [, tokens = 0, dimension = 0] = dims;
  if (pooling === 'first') return Float32Array.from(data.subarray(0, dimension));
  const sums = new Float32Array(dimension);
  for (let token = 0; token < tokens; token++)
    for (let at = 0; at < dimension; at++) sums[at] = (sums[at] as number) + (data[token * dimension + at] as number);
  return sums;
}

/** Models made with sentence-transformers say how they pool. */
function readPooling(folder: string): 'mean' | 'first' | null {
  const file = path.join(folder, '1_Pooling', 'config.json');
  if (!existsSync(file)) return null;
  const { pooling_mode_cls_token: first, pooling_mode_mean_tokens: mean } = JSON.parse(readFileSync(file, 'utf8'));
  return first ? 'first' : mean ? 'mean' : null;
}

function readNumber(folder: string, name: string, key: string): number | null {
  const file = path.join(folder, name);
  if (!existsSync(file)) return null;
  const value = (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[key];
  return typeof value === 'number' ? value : null;
}

interface Runtime {
  InferenceSession: { create(model: Uint8Array, options: InferenceSession.SessionOptions): Promise<InferenceSession> };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => Tensor;
}

/** WebAssembly runs everywhere. The native runtime is about six times as fast and is used when somebody has installed it. */
async function loadRuntime(): Promise<{ runtime: string; ort: Runtime }> {
  const native = 'onnxruntime-node';
  try {
    return { runtime: 'native', ort: (await import(native)) as unknown as Runtime };
  } catch {
    // Not installed, or not for this platform.
  }
  const ort = await import('onnxruntime-web');
  ort.env.wasm.numThreads = 1;
  return { runtime: 'wasm', ort: ort as unknown as Runtime };
}
