import type { BodyText } from '../../body-text.ts';

/**
 * Collects the text of a stream of chunks, which Works since 2000 and Publisher use. Its index has entries of 24 bytes: the size of the
 * entry, the name, a number, the type, and the offset and length of the chunk. Text is UTF-16.
 */
export function collectChunkedText(stream: Buffer, body: BodyText): boolean {
  if (!/^CHNK(WKS|INK)/.test(stream.toString('latin1', 0, 7))) return false;
  let found = false;
  for (let at = stream.indexOf('TEXT', 0, 'latin1'); at !== -1; at = stream.indexOf('TEXT', at + 4, 'latin1')) {
    if (at < 2 || at + 22 > stream.length || stream.readUInt16LE(at - 2) !== 24 || stream.toString('latin1', at + 10, at + 14) !== 'TEXT')
      continue;
    const [offset, length] = [stream.readUInt32LE(at + 14), stream.readUInt32LE(at + 18)];
    if (length === 0 || offset + length > stream.length) continue;
    found = true;
    body.add(
      stream
        .toString('utf16le', offset, offset + length)
        .replaceAll('\r', '\n')
        .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffc]/g, ' '),
    );
    body.break();
  }
  return found;
}
