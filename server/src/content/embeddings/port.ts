/** What a text is embedded for. Some models expect another prefix for questions than for the texts to be found. */
export type EmbeddedAs = 'query' | 'passage';

/** Vectors of different models cannot be compared, so every stored vector names the fingerprint of its model. */
export interface EmbeddingModel {
  /** As configured, such as `BAAI/bge-small-en-v1.5`. */
  name: string;
  /** Identifies the exact weights. */
  revision: string;
  dimension: number;
  /** What computes the vectors: `wasm`, `native` or `http`. It is recorded only: vectors of the runtimes differ by rounding. */
  runtime: string;
  /** A digest of everything that vectors depend on, except the text. */
  fingerprint: string;
}

/**
 * Turns texts into vectors. Obligations of every adapter, checked by conformance.test.ts:
 * - `embed` returns one vector of length 1 per text, in the order of the texts. Any string is accepted; what exceeds the model's limit is cut.
 * - The same text gives the same vector, whatever was embedded before or beside it.
 * - Nothing blocks the event loop of the caller. Several calls may be open at once.
 * - A model that is missing, broken or out of reach throws EmbedderUnavailable. The next call tries again.
 * - An aborted call rejects with the reason of its signal. After `close`, every call throws EmbedderUnavailable.
 */
export interface Embedder {
  /** Loads the model if necessary. */
  model(): Promise<EmbeddingModel>;
  embed(texts: readonly string[], as: EmbeddedAs, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** The message says what to do next. */
export class EmbedderUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'EmbedderUnavailable';
  }
}

/** Scales a vector to length 1 in place. A vector without a direction becomes the first axis, so that it can be stored and compared. */
export function toUnitLength(vector: Float32Array): Float32Array {
  let squares = 0;
  for (const each of vector) squares += each * each;
  if (!(squares > 0) || !Number.isFinite(squares)) {
    vector.fill(0);
    vector[0] = 1;
    return vector;
  }
  const scale = 1 / Math.sqrt(squares);
  for (let at = 0; at < vector.length; at++) vector[at] = (vector[at] as number) * scale;
  return vector;
}
