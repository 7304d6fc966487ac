/**
 * Decoders for every character encoding that files declare: all encodings of TextDecoder, the DOS and Macintosh code pages it lacks, and
 * UTF-32. Encodings are found by name (`windows-1251`, `cp850`) or by Windows code page number.
 */
import { TextDecoder } from 'node:util';
import { upperHalves } from './code-pages.ts';

export interface CharsetDecoder {
  readonly encoding: string;
  /** With `stream`, a character may continue in the next call. */
  decode(bytes?: Uint8Array, options?: { stream?: boolean }): string;
}

/** Names in use that TextDecoder does not know. Keys have no separators. */
const aliases: Readonly<Record<string, string>> = {
  ansi: 'windows-1252',
  cp932: 'shift_jis',
  ms932: 'shift_jis',
  cp936: 'gbk',
  ms936: 'gbk',
  cp949: 'euc-kr',
  ms949: 'euc-kr',
  uhc: 'euc-kr',
  cp950: 'big5',
  eucgb2312cn: 'gbk',
  eucjis2004: 'euc-jp',
  shiftjis2004: 'shift_jis',
  big5hkscs: 'big5',
  iso2022jp2: 'iso-2022-jp',
  tis620: 'windows-874',
  iso885911: 'windows-874',
  ucs2: 'utf-16le',
  ucs4: 'utf-32be',
  utf32: 'utf-32le',
  utf16: 'utf-16le',
  macroman: 'macintosh',
  xmacroman: 'macintosh',
  maccyrillic: 'x-mac-cyrillic',
  macukraine: 'x-mac-cyrillic',
  macgreek: 'x-mac-greek',
  maclatin2: 'x-mac-ce',
  maccentraleurope: 'x-mac-ce',
  macturkish: 'x-mac-turkish',
  maciceland: 'x-mac-icelandic',
  cspc8codepage437: 'ibm437',
};

/** The decoder of a declared encoding, or null if the name is unknown. */
export function charsetDecoder(label: string): CharsetDecoder | null {
  const name = label.trim().toLowerCase();
  const bare = name.replace(/[^a-z0-9]/g, '');
  const dos = /^(?:x?cp|ibm|dos|csibm|windows)?(\d{3})$/.exec(bare)?.[1];
  for (const candidate of [name, aliases[bare], dos && `ibm${dos}`, bare]) {
    if (candidate === undefined || candidate === '') continue;
    const upper = upperHalves[candidate];
    if (upper !== undefined) return singleByteDecoder(candidate, upper);
    if (candidate === 'utf-32le' || candidate === 'utf-32be') return utf32Decoder(candidate);
    try {
      return new TextDecoder(candidate);
    } catch {
      // The name is not one of TextDecoder's.
    }
  }
  return null;
}

const codePages: Readonly<Record<number, string>> = {
  708: 'iso-8859-6',
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  1200: 'utf-16le',
  1201: 'utf-16be',
  1361: 'euc-kr',
  10000: 'macintosh',
  10001: 'shift_jis',
  10002: 'big5',
  10003: 'euc-kr',
  10006: 'x-mac-greek',
  10007: 'x-mac-cyrillic',
  10008: 'gbk',
  10029: 'x-mac-ce',
  10079: 'x-mac-icelandic',
  10081: 'x-mac-turkish',
  12000: 'utf-32le',
  12001: 'utf-32be',
  20866: 'koi8-r',
  20932: 'euc-jp',
  20936: 'gbk',
  21866: 'koi8-u',
  32768: 'macintosh',
  32769: 'windows-1252',
  50220: 'iso-2022-jp',
  50221: 'iso-2022-jp',
  50222: 'iso-2022-jp',
  51932: 'euc-jp',
  51936: 'gbk',
  51949: 'euc-kr',
  52936: 'gbk',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** The decoder of a Windows code page. Unknown code pages are read as Windows-1252, which accepts any bytes. */
export function codePageDecoder(page: number | undefined): CharsetDecoder {
  if (page === undefined) return new TextDecoder('windows-1252');
  const iso = page >= 28_591 && page <= 28_606 ? `iso-8859-${page - 28_590}` : undefined;
  const name = codePages[page] ?? iso ?? (page >= 1250 && page <= 1258 ? `windows-${page}` : `ibm${page}`);
  return charsetDecoder(name) ?? new TextDecoder('windows-1252');
}

function singleByteDecoder(encoding: string, upper: string): CharsetDecoder {
  return {
    encoding,
    decode(bytes) {
      if (bytes === undefined) return '';
      const out: string[] = [];
      for (let at = 0; at < bytes.length; at += 8192) {
        let piece = '';
        for (const byte of bytes.subarray(at, at + 8192)) piece += byte < 128 ? String.fromCharCode(byte) : upper[byte - 128];
        out.push(piece);
      }
      return out.join('');
    },
  };
}

function utf32Decoder(encoding: 'utf-32le' | 'utf-32be'): CharsetDecoder {
  let rest = Buffer.alloc(0);
  return {
    encoding,
    decode(bytes, options) {
      const all = Buffer.concat([rest, bytes ?? Buffer.alloc(0)]);
      const whole = all.length - (all.length % 4);
      rest = options?.stream ? all.subarray(whole) : Buffer.alloc(0);
      let text = '';
      for (let at = 0; at < whole; at += 4) {
        const code = encoding === 'utf-32le' ? all.readUInt32LE(at) : all.readUInt32BE(at);
        text += code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? '\ufffd' : String.fromCodePoint(code);
      }
      return text;
    },
  };
}
