/**
 * Tags in ID3 and RIFF state at most that they are Latin-1, and programs wrote them in the code page of their computer. Texts that consist
 * mostly of letters outside ASCII, as those of Western languages never do, are decoded again from all tags of the file together.
 */
import { isUtf8 } from 'node:buffer';
import { decoderOf, detectLegacyEncoding, isMostlyHighBytes } from '../input/text-encoding.ts';

/** Returns the function that corrects the tags of a file. It changes nothing where Latin-1 is right. */
export function tagCorrection(texts: readonly (string | undefined)[]): (text: string) => string {
  const encoded = texts.flatMap((text) => (text === undefined ? [] : [latinBytes(text)])).filter((bytes) => bytes !== null);
  const sample = Buffer.concat(encoded.filter(hasHighBytes).flatMap((bytes) => [bytes, Buffer.from('\n')]));
  if (sample.length === 0) return (text) => text;
  const utf8 = isUtf8(sample);
  if (!utf8 && !isMostlyHighBytes(sample)) return (text) => text;
  const decoder = utf8 ? new TextDecoder('utf-8') : decoderOf(detectLegacyEncoding(sample));
  return (text) => {
    const bytes = latinBytes(text);
    return bytes === null || !hasHighBytes(bytes) ? text : decoder.decode(bytes);
  };
}

const hasHighBytes = (bytes: Buffer): boolean => bytes.some((byte) => byte > 127);

/** Characters that Windows-1252 has at 0x80 to 0x9F. */
const extra = new Map(
  Array.from(new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 32 }, (_, n) => n + 128)), (c, n) => [c, n + 128]),
);

/** The bytes that were read as Latin-1 or Windows-1252; null for other texts, whose encoding was known. */
function latinBytes(text: string): Buffer | null {
  const bytes: number[] = [];
  for (const character of text) {
    const code = extra.get(character) ?? (character.codePointAt(0) as number);
    if (code > 255) return null;
    bytes.push(code);
  }
  return Buffer.from(bytes);
}
