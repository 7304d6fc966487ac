const pictures = new Set(['png', 'jpg', 'jpeg', 'jpe', 'jfif', 'tif', 'tiff', 'webp', 'bmp', 'gif']);

/** Whether a file of this extension can be a scan whose text must be recognised. */
export function mayNeedOcr(extension: string): boolean {
  return extension === 'pdf' || pictures.has(extension);
}

/** A document with at least this many characters of its own text is not a scan. */
export const embeddedTextMinChars = 100;
