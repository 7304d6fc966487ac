/** The compressed rich text of Outlook messages: copies from a window of 4096 bytes that begins with common RTF. */
const magic = { compressed: 0x75465a4c, stored: 0x414c454d };
const preset =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const windowBytes = 4096;

/** Returns at most `maxBytes`, or undefined if the bytes are not compressed rich text. */
export function unpackRtf(bytes: Buffer, maxBytes: number): Buffer | undefined {
  if (bytes.length < 16) return undefined;
  const type = bytes.readUInt32LE(8);
  if (type === magic.stored) return bytes.subarray(16, 16 + maxBytes);
  if (type !== magic.compressed) return undefined;
  const out = Buffer.alloc(Math.min(maxBytes, bytes.readUInt32LE(4)));
  const window = Buffer.alloc(windowBytes, 32);
  window.write(preset, 'latin1');
  let write = preset.length;
  let length = 0;
  const emit = (byte: number): void => {
    out[length++] = byte;
    window[write] = byte;
    write = (write + 1) % windowBytes;
  };
  for (let at = 16; at < bytes.length && length < out.length; ) {
    const flags = bytes[at++] as number;
    for (let bit = 0; bit < 8 && at < bytes.length && length < out.length; bit++) {
      if ((flags & (1 << bit)) === 0) {
        emit(bytes[at++] as number);
        continue;
      }
      if (at + 2 > bytes.length) return out.subarray(0, length);
      const reference = bytes.readUInt16BE(at);
      at += 2;
      const from = reference >> 4;
      if (from === write) return out.subarray(0, length);
      for (let n = 0; n < (reference & 15) + 2 && length < out.length; n++) emit(window[(from + n) % windowBytes] as number);
    }
  }
  return out.subarray(0, length);
}
