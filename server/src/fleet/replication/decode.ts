import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import { problem } from '../../platform/problem.ts';

const decoders = { gzip: promisify(gunzip), zstd: promisify(zstdDecompress) };
/** A small body may unpack to a very large one. */
const maxOutputLength = 64 * 1024 * 1024;
const maxLines = 1001;

/** The entries of an NDJSON body, packed by Content-Encoding. */
export async function decodeEntries(body: Buffer, encoding: string | undefined): Promise<unknown[]> {
  const text = (await unpack(body, encoding ?? 'identity')).toString('utf8');
  const lines = text.split('\n', maxLines + 1).filter((line) => line !== '');
  try {
    return lines.map((line) => JSON.parse(line) as unknown);
  } catch {
    throw problem('malformed_json', 'A line of the body is not valid JSON.');
  }
}

async function unpack(body: Buffer, encoding: string): Promise<Buffer> {
  if (encoding === 'identity') return body;
  const decode = decoders[encoding as keyof typeof decoders];
  if (!decode) throw problem('unsupported_media_type', 'The body can be packed with gzip or zstd.');
  try {
    return await decode(body, { maxOutputLength });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw problem('body_too_large');
    throw problem('bad_request', `The body cannot be unpacked with ${encoding}.`);
  }
}
