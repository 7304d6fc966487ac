import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { AwsV4Signer } from 'aws4fetch';
import type { Outbound, OutboundRequest, OutboundResponse } from '../../platform/outbound/index.ts';
import type { S3Config, Transport } from './transport.ts';

/** S3 allows 10,000 parts of at least 5 MiB, so a backup may have 160 GB. */
const partBytes = 16 * 1_048_576;
const maxParts = 10_000;

/**
 * Storage with the S3 interface, addressed by path (endpoint/bucket/key), which every such server accepts. The digest of each request body is
 * signed, so the server refuses data that was changed on the way.
 */
export function openS3(config: S3Config, secretAccessKey: string, outbound: Outbound): Transport {
  const base = `${config.endpoint.replace(/\/+$/, '')}/${config.bucket}`;
  const urlOf = (name: string, query = ''): string =>
    `${base}/${(config.prefix + name).split('/').map(encodeURIComponent).join('/')}${query}`;

  async function call(
    method: NonNullable<OutboundRequest['method']>,
    url: string,
    body: Buffer,
    signal: AbortSignal,
  ): Promise<OutboundResponse> {
    const signer = new AwsV4Signer({
      method,
      url,
      accessKeyId: config.access_key_id,
      secretAccessKey,
      region: config.region,
      service: 's3',
      headers: { 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
    });
    const signed = await signer.sign();
    const response = await outbound.send(
      'backup_target',
      {
        url: signed.url.toString(),
        method,
        headers: Object.fromEntries(signed.headers as unknown as Iterable<[string, string]>),
        ...(method === 'PUT' || method === 'POST' ? { body } : {}),
        timeoutMs: 300_000,
        maxResponseBytes: 1_048_576,
        signal,
      },
      { requested: true },
    );
    const failed = response.status >= 300 || (method === 'POST' && /<Error>/.test(response.body.toString('utf8')));
    if (failed && !(method === 'DELETE' && response.status === 404)) throw explain(response, config);
    return response;
  }

  const nothing = Buffer.alloc(0);

  async function putParts(name: string, first: Buffer, rest: AsyncIterable<Buffer>, signal: AbortSignal): Promise<number> {
    const started = await call('POST', urlOf(name, '?uploads='), nothing, signal);
    const id = encodeURIComponent(/<UploadId>([^<]+)<\/UploadId>/.exec(started.body.toString('utf8'))?.[1] ?? '');
    const tags: string[] = [];
    let bytes = 0;
    const upload = async (part: Buffer): Promise<void> => {
      if (tags.length === maxParts) throw new Error('The backup is larger than 160 GB, the most that one S3 object can hold this way.');
      const { headers } = await call('PUT', urlOf(name, `?partNumber=${tags.length + 1}&uploadId=${id}`), part, signal);
      tags.push(headers['etag'] ?? '');
      bytes += part.length;
    };
    try {
      await upload(first);
      for await (const part of rest) await upload(part);
      const list = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${tag}</ETag></Part>`).join('');
      await call('POST', urlOf(name, `?uploadId=${id}`), Buffer.from(`<CompleteMultipartUpload>${list}</CompleteMultipartUpload>`), signal);
      return bytes;
    } catch (error) {
      await call('DELETE', urlOf(name, `?uploadId=${id}`), nothing, AbortSignal.timeout(10_000)).catch(() => {
        // The first error is reported; storage removes unfinished uploads by its own rules.
      });
      throw error;
    }
  }

  return {
    async put(name, source, signal) {
      const parts = inParts(source);
      const first = (await parts.next()).value ?? nothing;
      if (first.length === partBytes) return putParts(name, first, parts, signal);
      await call('PUT', urlOf(name), first, signal);
      return first.length;
    },
    async remove(name, signal) {
      await call('DELETE', urlOf(name), nothing, signal);
    },
  };
}

/** The source in pieces of one part each; only the last is shorter. */
async function* inParts(source: Readable): AsyncGenerator<Buffer, undefined> {
  let chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of source as AsyncIterable<Buffer>) {
    let at = 0;
    while (size + chunk.length - at >= partBytes) {
      const end = at + partBytes - size;
      yield Buffer.concat([...chunks, chunk.subarray(at, end)]);
      [chunks, size, at] = [[], 0, end];
    }
    if (at < chunk.length) {
      chunks.push(chunk.subarray(at));
      size += chunk.length - at;
    }
  }
  if (size > 0) yield Buffer.concat(chunks);
  return undefined;
}

const reasons: Record<string, string> = {
  NoSuchBucket: 'The bucket does not exist. Create it, or correct its name.',
  InvalidAccessKeyId: 'The access key is unknown. Check it.',
  SignatureDoesNotMatch: 'The secret key is wrong. Enter it again.',
  AccessDenied: 'The access key may not write to the bucket. Allow it to put and delete objects.',
  RequestTimeTooSkewed: 'The clock of this machine differs from that of the storage. Correct it.',
};

function explain({ status, body }: OutboundResponse, { bucket }: S3Config): Error {
  const code = /<Code>(\w+)<\/Code>/.exec(body.toString('utf8'))?.[1] ?? '';
  return new Error(`${reasons[code] ?? 'The storage refused the request.'} (bucket ${bucket}, status ${status}${code ? `, ${code}` : ''})`);
}
