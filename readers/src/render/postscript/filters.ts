/** Filters that programs put between themselves and the data of a picture. */
import { inflateSync } from 'node:zlib';
import { PostScriptError, Source } from './values.ts';

const maxDecoded = 64 * 1024 * 1024;

/** The decoded rest of a source. Its own position moves behind the data where the filter marks the end. */
export function decoded(filter: string, source: Source, charge: (chars: number) => void): Source {
  const decode = decoders.get(filter);
  if (decode === undefined) throw new PostScriptError('undefined: filter');
  return new Source(() => {
    const text = decode(source);
    charge(text.length);
    return text;
  });
}

const rest = (source: Source): string => source.bytes.slice(source.at);

/** The encoded data up to its end marker. The program continues after the marker. */
function until(source: Source, mark: string): string {
  const data = rest(source);
  const end = data.indexOf(mark);
  source.at += end === -1 ? data.length : end + mark.length;
  return end === -1 ? data : data.slice(0, end);
}

const decoders: ReadonlyMap<string, (source: Source) => string> = new Map([
  ['ASCIIHexDecode', (source: Source) => new Source(until(source, '>')).readHex(maxDecoded)],
  ['ASCII85Decode', (source: Source) => ascii85(until(source, '~>'))],
  ['RunLengthDecode', (source: Source) => runLengths(rest(source))],
  ['FlateDecode', (source: Source) => inflated(rest(source))],
]);

function inflated(data: string): string {
  try {
    return inflateSync(Buffer.from(data, 'latin1'), { maxOutputLength: maxDecoded }).toString('latin1');
  } catch {
    throw new PostScriptError('ioerror');
  }
}

function ascii85(text: string): string {
  // A single letter stands for four zeros.
  const out = Buffer.alloc(text.length * 4 + 4);
  let [length, value, digits] = [0, 0, 0];
  const flush = (count: number): void => {
    out.writeUInt32BE(value % 2 ** 32, length);
    length += count;
    [value, digits] = [0, 0];
  };
  for (const char of text.replace(/^\s*<~/, '')) {
    if (char === 'z' && digits === 0) flush(4);
    else if (char >= '!' && char <= 'u') {
      value = value * 85 + char.charCodeAt(0) - 33;
      digits += 1;
    }
    if (digits === 5) flush(4);
  }
  const left = digits;
  for (; left > 1 && digits < 5; digits++) value = value * 85 + 84;
  if (left > 1) flush(left - 1);
  return out.toString('latin1', 0, length);
}

function runLengths(text: string): string {
  const parts: string[] = [];
  let length = 0;
  for (let at = 0; at < text.length && length < maxDecoded; ) {
    const code = text.charCodeAt(at++);
    if (code === 128) break;
    const part = code < 128 ? text.slice(at, at + code + 1) : (text[at] ?? '').repeat(257 - code);
    at += code < 128 ? code + 1 : 1;
    parts.push(part);
    length += part.length;
  }
  return parts.join('');
}
