// Programs of Windows (PE): their signature is removed before something is added to them, and their checksum is corrected afterwards.

function headerOf(file) {
  const pe = file.readUInt32LE(0x3c);
  if (file.toString('latin1', 0, 2) !== 'MZ' || file.toString('latin1', pe, pe + 4) !== 'PE\0\0')
    throw new Error('This is no program of Windows.');
  const optional = pe + 24;
  const is64 = file.readUInt16LE(optional) === 0x20b;
  // The fifth data directory is the certificate table, named by its position in the file.
  return { machine: file.readUInt16LE(pe + 4), checksum: optional + 64, certificates: optional + (is64 ? 112 : 96) + 4 * 8 };
}

/** The file without its signature. */
export function removeSignature(file) {
  const { certificates } = headerOf(file);
  const [offset, size] = [file.readUInt32LE(certificates), file.readUInt32LE(certificates + 4)];
  if (offset === 0) return file;
  if (offset + size < file.length) throw new Error('Something follows the signature of the program.');
  const bare = Buffer.from(file.subarray(0, offset));
  bare.writeUInt32LE(0, certificates);
  bare.writeUInt32LE(0, certificates + 4);
  return bare;
}

/** The sum of all 16-bit words with the carry added back, plus the length. The field itself counts as zero. */
function checksumOf(file) {
  const { checksum } = headerOf(file);
  let sum = 0;
  for (let at = 0; at < file.length; at += 2) {
    if (at === checksum || at === checksum + 2) continue;
    sum += at + 1 < file.length ? file.readUInt16LE(at) : file[at];
    sum = (sum & 0xffff) + (sum >>> 16);
  }
  return ((sum + file.length) & 0xffffffff) >>> 0;
}

/** Corrects the checksum in place. */
export function correctChecksum(file) {
  file.writeUInt32LE(checksumOf(file), headerOf(file).checksum);
}

const machines = { 34404: 'x64', 43620: 'arm64' };

/** What the file says about itself. */
export function describePe(file) {
  const { machine, checksum, certificates } = headerOf(file);
  return {
    arch: machines[machine],
    sound: file.readUInt32LE(checksum) === checksumOf(file),
    signed: file.readUInt32LE(certificates) !== 0,
  };
}
