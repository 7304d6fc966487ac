import { ExtractError } from '../../contract.ts';
import type { FileBytes } from '../../input/file-bytes.ts';

/** Type 1 (pfa, pfb), metrics (afm) and bitmap (bdf) fonts: the names in their plain-text heads. */
export function describePlainFont(file: FileBytes): { format: string; facts: Record<string, unknown> } {
  const text = file.read(0, 65_536).toString('latin1');
  const pick = (pattern: RegExp): string | undefined => pattern.exec(text)?.[1]?.trim().slice(0, 300);
  const named = (facts: Record<string, string | number | undefined>): Record<string, unknown> =>
    Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined && value !== ''));
  if (/%!(PS-AdobeFont|FontType1)/.test(text.slice(0, 64))) {
    return {
      format: 'type1',
      facts: named({
        family: pick(/\/FamilyName\s*\(([^)]*)\)/),
        full_name: pick(/\/FullName\s*\(([^)]*)\)/),
        subfamily: pick(/\/Weight\s*\(([^)]*)\)/),
        version: pick(/\/version\s*\(([^)]*)\)/),
        postscript_name: pick(/\/FontName\s*\/(\S+)/),
      }),
    };
  }
  if (text.startsWith('StartFontMetrics')) {
    const glyphs = Number(pick(/^StartCharMetrics\s+(\d+)/m));
    return {
      format: 'afm',
      facts: named({
        family: pick(/^FamilyName\s+(.+)$/m),
        full_name: pick(/^FullName\s+(.+)$/m),
        subfamily: pick(/^Weight\s+(.+)$/m),
        glyphs: Number.isFinite(glyphs) ? glyphs : undefined,
      }),
    };
  }
  if (text.startsWith('STARTFONT')) {
    const glyphs = Number(pick(/^CHARS\s+(\d+)/m));
    return {
      format: 'bdf',
      facts: named({
        family: pick(/^FAMILY_NAME\s+"([^"]*)"/m),
        full_name: pick(/^FONT\s+(.+)$/m),
        glyphs: Number.isFinite(glyphs) ? glyphs : undefined,
      }),
    };
  }
  throw new ExtractError('corrupt', 'This is not a font.');
}
