/** The description inside an ICC colour profile ("Display P3", "Adobe RGB (1998)"). */
export function profileName(profile: Buffer): string | undefined {
  if (profile.length < 132) return undefined;
  const tags = Math.min(profile.readUInt32BE(128), 64);
  for (let i = 0; i < tags; i++) {
    const at = 132 + i * 12;
    if (at + 12 > profile.length) return undefined;
    if (profile.toString('latin1', at, at + 4) !== 'desc') continue;
    const offset = profile.readUInt32BE(at + 4);
    const length = profile.readUInt32BE(at + 8);
    if (offset + 12 > profile.length) return undefined;
    return decodeDescription(profile.subarray(offset, offset + Math.min(length, 1024)));
  }
  return undefined;
}

function decodeDescription(tag: Buffer): string | undefined {
  const type = tag.toString('latin1', 0, 4);
  let name = '';
  if (type === 'desc' && tag.length > 12) {
    const length = Math.min(tag.readUInt32BE(8), tag.length - 12);
    name = tag.toString('latin1', 12, 12 + length);
  } else if (type === 'mluc' && tag.length >= 28) {
    const length = tag.readUInt32BE(20);
    const offset = tag.readUInt32BE(24);
    const text = tag.subarray(offset, offset + length);
    if (text.length >= 2) name = new TextDecoder('utf-16be').decode(text);
  }
  const clean = name.replace(/\0/g, '').trim();
  return clean === '' ? undefined : clean.slice(0, 100);
}
