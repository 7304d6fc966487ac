import { createHash } from 'node:crypto';
import { type Outbound, OutboundError } from '../../platform/outbound/index.ts';
import { withPrefix } from './families.ts';
import { type Embedder, EmbedderUnavailable, type EmbeddingModel, toUnitLength } from './port.ts';

interface RemoteOptions {
  outbound: Outbound;
  /** The address of the server, with or without `/v1/embeddings`. */
  url: string;
  model: string;
  apiKey?: string | undefined;
}

/** Texts in one request; servers limit both the number and the time. */
const batchSize = 32;
/** Servers reject longer inputs than their model reads instead of cutting them. About 512 tokens of English. */
const maxChars = 2000;
/** A text that a server rejects is halved down to this, because the same characters are many more tokens in some languages. */
const minChars = 128;
/** Statuses by which servers reject a text, often one with too many tokens. */
const rejections: ReadonlySet<number> = new Set([400, 413, 422, 500]);

class RejectedInput extends Error {}
const timeoutMs = 60_000;

/** Any server with the `/v1/embeddings` route of OpenAI: Ollama, llama.cpp, TEI, vLLM. */
export function createRemoteEmbedder({ outbound, url, model, apiKey }: RemoteOptions): Embedder {
  const address = `${url.replace(/\/+$/, '').replace(/(\/v1)?(\/embeddings)?$/, '')}/v1/embeddings`;
  let known: EmbeddingModel | null = null;
  let closed = false;

  async function request(input: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    if (closed) throw new EmbedderUnavailable('The embedder is closed.');
    signal?.throwIfAborted();
    const body = JSON.stringify({ model, input, encoding_format: 'float' });
    const { host } = new URL(address);
    let response: Awaited<ReturnType<Outbound['send']>>;
    try {
      response = await outbound.send('embedding_server', {
        url: address,
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) },
        body,
        timeoutMs,
        maxResponseBytes: 64 * 1024 * 1024,
        ...(signal ? { signal } : {}),
      });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof OutboundError)
        throw new EmbedderUnavailable(`The embedding server cannot be used: ${error.message}`, { cause: error });
      throw error;
    }
    if (response.status !== 200) {
      const message = `The embedding server ${host} answered ${response.status}. Check SVC_EMBED_URL, SVC_EMBED_MODEL and SVC_EMBED_API_KEY.`;
      throw rejections.has(response.status) ? new RejectedInput(message) : new EmbedderUnavailable(message);
    }
    return readVectors(response.body, input.length, host);
  }

  /** A server that rejects even a short text is not in order. */
  const checkServer = (signal?: AbortSignal): Promise<Float32Array[]> =>
    request(['dimension'], signal).catch((error: unknown) => {
      throw error instanceof RejectedInput ? new EmbedderUnavailable(error.message) : error;
    });

  /** One text that the server rejects must not cost the others their vectors. */
  async function embedEach(inputs: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
    try {
      return await request(inputs, signal);
    } catch (error) {
      if (!(error instanceof RejectedInput)) throw error;
      await checkServer(signal);
      const [only = ''] = inputs;
      if (inputs.length === 1 && only.length <= minChars) throw error;
      const halves =
        inputs.length === 1
          ? [[only.slice(0, Math.ceil(only.length / 2)).toWellFormed()]]
          : [inputs.slice(0, inputs.length / 2), inputs.slice(inputs.length / 2)];
      const vectors: Float32Array[] = [];
      for (const half of halves) vectors.push(...(await embedEach(half, signal)));
      return vectors;
    }
  }

  const describe = ({ length: dimension }: Float32Array): EmbeddingModel => {
    if (known && known.dimension !== dimension)
      throw new EmbedderUnavailable(`The embedding server returned ${dimension} dimensions instead of ${known.dimension}.`);
    known ??= {
      name: model,
      revision: new URL(address).host,
      dimension,
      runtime: 'http',
      fingerprint: createHash('sha256')
        .update(JSON.stringify(['http', address, model, dimension]))
        .digest('hex')
        .slice(0, 32),
    };
    return known;
  };

  return {
    async model() {
      if (known && !closed) return known;
      return describe((await checkServer())[0] as Float32Array);
    },
    async embed(texts, as, signal) {
      if (closed) throw new EmbedderUnavailable('The embedder is closed.');
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize) {
        const part = texts.slice(from, from + batchSize).map((text) => inputOf(withPrefix(model, text, as)));
        const embedded = await embedEach(part, signal).catch((error: unknown) => {
          // A question without a vector is still searched by its words.
          throw error instanceof RejectedInput && as === 'query' ? new EmbedderUnavailable(error.message) : error;
        });
        for (const vector of embedded) {
          describe(vector);
          vectors.push(toUnitLength(vector));
        }
      }
      return vectors;
    },
    async close() {
      closed = true;
    },
  };
}

/** Servers reject empty inputs. */
function inputOf(text: string): string {
  return text.toWellFormed().replaceAll('\0', ' ').slice(0, maxChars).trim() || '-';
}

function readVectors(body: Buffer, count: number, host: string): Float32Array[] {
  const unexpected = new EmbedderUnavailable(`The embedding server ${host} returned something other than ${count} vectors.`);
  let data: unknown;
  try {
    data = (JSON.parse(body.toString('utf8')) as { data?: unknown }).data;
  } catch {
    throw unexpected;
  }
  if (!Array.isArray(data) || data.length !== count) throw unexpected;
  const vectors: Float32Array[] = [];
  for (const [at, each] of data.entries()) {
    const { index = at, embedding } = each as { index?: number; embedding?: unknown };
    if (!Number.isInteger(index) || index < 0 || index >= count || vectors[index]) throw unexpected;
    if (!Array.isArray(embedding) || embedding.length === 0 || !embedding.every((one) => typeof one === 'number')) throw unexpected;
    vectors[index] = Float32Array.from(embedding);
  }
  return vectors;
}
