/** Programs of the machine that readers use where they are installed. */
interface KnownTool {
  /** The oldest version that is known to work well. */
  minimum: string;
  /** The argument that makes it print its version. */
  flag: string;
}

const known: Readonly<Record<string, KnownTool>> = {
  ffmpeg: { minimum: '4.1', flag: '-version' },
  ffprobe: { minimum: '4.1', flag: '-version' },
  exiftool: { minimum: '12.0', flag: '-ver' },
  tesseract: { minimum: '4.0', flag: '--version' },
  pdftotext: { minimum: '20.0', flag: '-v' },
};

export const toolMinimum = (name: string): string | null => (Object.hasOwn(known, name) ? (known[name]?.minimum ?? null) : null);
export const toolVersionFlag = (name: string): string => (Object.hasOwn(known, name) ? known[name]?.flag : undefined) ?? '--version';

/** The first number with dots in what a tool prints; null when there is none. */
export const versionIn = (output: string): string | null => /\d+(\.\d+)+/.exec(output)?.[0] ?? null;

/** Returns false if there is no minimum version. */
export function isOlderTool(name: string, version: string): boolean {
  const found = version.split('.').map(Number);
  for (const [at, needed] of (toolMinimum(name) ?? '0').split('.').map(Number).entries()) {
    const part = found[at] ?? 0;
    if (part !== needed) return part < needed;
  }
  return false;
}
