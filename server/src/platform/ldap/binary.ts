/** A security identifier in its usual form: revision, authority, then the parts, such as S-1-5-21-1-2-3-500. */
export function decodeSid(bytes: Buffer): string | null {
  const parts = bytes[1];
  if (bytes.length < 8 || parts === undefined || bytes.length !== 8 + 4 * parts) return null;
  const authority = bytes.readUIntBE(2, 6);
  const rest = Array.from({ length: parts }, (_, at) => bytes.readUInt32LE(8 + 4 * at));
  return ['S', bytes[0], authority, ...rest].join('-');
}

/** The bytes of a security identifier, for filters. */
export function encodeSid(text: string): Buffer | null {
  const [, revision, authority, ...parts] = text.split('-');
  if (!/^S-\d+-\d+(-\d+){0,15}$/.test(text)) return null;
  const bytes = Buffer.alloc(8 + 4 * parts.length);
  bytes.writeUInt8(Number(revision), 0);
  bytes.writeUInt8(parts.length, 1);
  bytes.writeUIntBE(Number(authority), 2, 6);
  for (const [at, part] of parts.entries()) bytes.writeUInt32LE(Number(part), 8 + 4 * at);
  return bytes;
}

/** objectGUID stores its first three fields in little-endian order. */
export function decodeGuid(bytes: Buffer): string | null {
  if (bytes.length !== 16) return null;
  const hex = Buffer.concat([
    Buffer.from(bytes.subarray(0, 4)).reverse(),
    Buffer.from(bytes.subarray(4, 6)).reverse(),
    Buffer.from(bytes.subarray(6, 8)).reverse(),
    bytes.subarray(8),
  ]).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
