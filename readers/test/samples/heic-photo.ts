/** A real HEIC of 64 x 48 pixels in one colour, encoded as a grid with an Exif block, as phones do. */
export const heicPhoto: Buffer = Buffer.from(
  [
    'AAAAHGZ0eXBoZWljAAAAAG1pZjFoZWljbWlhZgAAAeRtZXRhAAAAAAAAACFoZGxyAAAAAAAAAABwaWN0AAAAAAAAAAAAAAAAAAAAAA5waXRtAAAAAAACAAAA',
    'EGlkYXQAAAAAAEAAMAAAAExpbG9jAQAAAERAAAMAAQAAAAAAAAIIAAEAAAAAAAAAGAACAAEAAAAAAAAAAQAAAAAAAAAIAAMAAAAAAAACIAABAAAAAAAAAOYA',
    'AABNaWluZgAAAAAAAwAAABVpbmZlAgAAAQABAABodmMxAAAAABVpbmZlAgAAAAACAABncmlkAAAAABVpbmZlAgAAAQADAABFeGlmAAAAANhpcHJwAAAAtmlw',
    'Y28AAAB2aHZjQwEDcAAAAAAAAAAAAB7wAPz9+PgAAA8DIAABABhAAQwB//8DcAAAAwCQAAADAAADAB66AkAhAAEAKkIBAQNwAAADAJAAAAMAAAMAHqAggQWW',
    '6uSmubgQEDAgAAADACAAAAMAISIAAQAGRAHBc8CJAAAAFGlzcGUAAAAAAAAAQAAAAEAAAAAUaXNwZQAAAAAAAABAAAAAMAAAABBwaXhpAAAAAAMICAgAAAAa',
    'aXBtYQAAAAAAAAACAAECgQIAAgIDhAAAAChpcmVmAAAAAAAAAA5kaW1nAAIAAQABAAAADmNkc2MAAwABAAIAAAEGbWRhdAAAABQoAa8EGPjKcdf/3Hx+64C2',
    'k9IR5wAAAAZFeGlmAABJSSoACAAAAAgADwECAAYAAABuAAAAEAECAAoAAAB0AAAAEgEDAAEAAAABAAAAGgEFAAEAAAB+AAAAGwEFAAEAAACGAAAAKAEDAAEA',
    'AAACAAAAEwIDAAEAAAABAAAAaYcEAAEAAACOAAAAAAAAAEFwcGxlAGlQaG9uZSAxNQA4YwAA6AMAADhjAADoAwAABgAAkAcABAAAADAyMTABkQcABAAAAAEC',
    'AwAAoAcABAAAADAxMDABoAMAAQAAAP//AAACoAQAAQAAAEAAAAADoAQAAQAAADAAAAAAAAAA',
  ].join(''),
  'base64',
);

/** The same photo, taken upright: the container states a quarter turn, and so does Exif, which is there for information only. */
export function uprightHeicPhoto(): Buffer {
  const bytes = Buffer.from(heicPhoto);
  const at = (box: string): number => bytes.indexOf(box, 0, 'latin1');
  // Adds an irot box (nine bytes) as the fifth property in ipco, and one byte to ipma that assigns it to the image.
  for (const box of ['meta', 'iprp', 'ipma']) bytes.writeUInt32BE(bytes.readUInt32BE(at(box) - 4) + (box === 'ipma' ? 1 : 10), at(box) - 4);
  const properties = at('ipco') - 4;
  const propertiesEnd = properties + bytes.readUInt32BE(properties);
  bytes.writeUInt32BE(bytes.readUInt32BE(properties) + 9, properties);
  for (const offset of [0x208, 0x220]) {
    const found = bytes.indexOf(Buffer.from([0, 0, offset >> 8, offset & 255]), at('iloc'));
    bytes.writeUInt32BE(offset + 10, found);
  }
  const assigned = at('ipma') + 4 + 8 + 5;
  bytes[assigned + 2] = 3;
  bytes.writeUInt16LE(6, bytes.indexOf(Buffer.from([0x12, 1, 3, 0, 1, 0, 0, 0])) + 8);
  const turn = Buffer.concat([Buffer.from([0, 0, 0, 9]), Buffer.from('irot\x03', 'latin1')]);
  return Buffer.concat([
    bytes.subarray(0, propertiesEnd),
    turn,
    bytes.subarray(propertiesEnd, assigned + 5),
    Buffer.from([0x85]),
    bytes.subarray(assigned + 5),
  ]);
}

/** A photo that claims more pixels than are decoded, with a preview of 64 x 64: the tile of the grid, which is listed as such. */
export function hugeHeicPhoto(): Buffer {
  const bytes = Buffer.from(heicPhoto);
  const size = bytes.lastIndexOf('ispe') + 8;
  bytes.writeUInt32BE(16_320, size);
  bytes.writeUInt32BE(12_240, size + 4);
  const grid = bytes.indexOf('idat') + 8;
  bytes.writeUInt16BE(16_320, grid);
  bytes.writeUInt16BE(12_240, grid + 2);
  bytes.write('thmb\0\x01', bytes.indexOf('cdsc'), 'latin1');
  return bytes;
}
