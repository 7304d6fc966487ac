import { describe, expect, it } from 'vitest';
import { encoderFor, legacyTexts } from '../../test/samples/languages.ts';
import { charsetDecoder, codePageDecoder } from './charset.ts';
import { declaredEncoding, decodeText } from './text-encoding.ts';
import { decodeZipNames } from './zip-names.ts';

describe('declared character sets', () => {
  it.each([
    ['cp437', 'Çüé'],
    ['IBM850', 'Çüé'],
    ['ibm-852', 'ČüéĐ'],
    ['cp866', 'Привет'],
    ['macintosh', 'Äöü'],
    ['Mac-Roman', 'Äöü'],
    ['koi8-r', 'Привет'],
    ['Shift_JIS', 'こんにちは'],
    ['cp932', 'こんにちは'],
    ['iso-8859-6', 'سلام'],
    ['big5-hkscs', '你好'],
    ['x-mac-ce', 'Čáš'],
  ])('%s is decoded', (label, text) => {
    const decoder = charsetDecoder(label)!;
    expect(decoder.decode(encoderFor(decoder.encoding)(text))).toBe(text);
  });

  it('code pages are found by number, and an unknown one reads any bytes', () => {
    expect(codePageDecoder(1251).decode(Buffer.from('cff0e8e2e5f2', 'hex'))).toBe('Привет');
    expect(codePageDecoder(28_595).encoding).toBe('iso-8859-5');
    expect(codePageDecoder(10_007).encoding).toBe('x-mac-cyrillic');
    expect(codePageDecoder(99_999).decode(Buffer.from('é', 'latin1'))).toBe('é');
    expect(charsetDecoder('no-such-charset')).toBeNull();
  });

  it('UTF-32 is decoded in pieces', () => {
    const decoder = charsetDecoder('utf-32le')!;
    const bytes = Buffer.from([...'aé😀'].flatMap((each) => [...new Uint8Array(new Uint32Array([each.codePointAt(0)!]).buffer)]));
    expect(decoder.decode(bytes.subarray(0, 6), { stream: true }) + decoder.decode(bytes.subarray(6))).toBe('aé😀');
  });

  it('HTML and XML declarations are found', () => {
    expect(declaredEncoding(Buffer.from('<?xml version="1.0" encoding="koi8-r"?><a/>'))).toBe('koi8-r');
    expect(declaredEncoding(Buffer.from('<html><head><meta charset=windows-1251>'))).toBe('windows-1251');
    expect(declaredEncoding(Buffer.from('<meta http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'))).toBe('Shift_JIS');
    expect(declaredEncoding(Buffer.from('<p>charset=koi8-r</p>'))).toBeUndefined();
  });
});

describe('undeclared character sets', () => {
  it('at least 95 % of 200 texts in 15 languages of at least 200 bytes are decoded right', () => {
    const texts = [...legacyTexts()];
    const wrong = texts
      .filter(({ bytes, text }) => decodeText(bytes)?.text !== text)
      .map(({ language, encoding }) => `${language} ${encoding}`);
    expect(texts.length).toBeGreaterThanOrEqual(200);
    expect(new Set(texts.map(({ language }) => language)).size).toBeGreaterThanOrEqual(15);
    expect(wrong.length / texts.length, wrong.join(', ')).toBeLessThanOrEqual(0.05);
  });

  it('a declaration decides where statistics cannot, and valid UTF-8 wins over a wrong one', () => {
    expect(decodeText(Buffer.from([0xe9]), true, 'windows-1251')?.text).toBe('й');
    expect(decodeText(Buffer.from('naïve'), true, 'iso-8859-1')).toEqual({ text: 'naïve', encoding: 'utf-8' });
    expect(decodeText(Buffer.from('naïve', 'latin1'), true, 'utf-8')?.text).toBe('naïve');
  });

  it('a few foreign bytes in a long ASCII text are found behind its beginning', () => {
    const russian = encoderFor('windows-1251')('Вчера вечером мы долго гуляли по набережной и разговаривали о будущем.');
    const bytes = Buffer.concat([Buffer.from('plain line\n'.repeat(10_000)), russian]);
    expect(decodeText(bytes)?.text.endsWith('о будущем.')).toBe(true);
  });
});

describe('names in zip files', () => {
  const name = (bytes: Buffer, dos = true) => ({ bytes, dos });
  it('Cyrillic names without a flag are read in their code page', () => {
    const encode = encoderFor('ibm866');
    const names = ['Документы/Отчёт за январь.txt', 'Документы/Список гостей.txt', 'Фотографии с моря'];
    expect(decodeZipNames(names.map((each) => name(encode(each))))).toEqual(names);
  });
  it('a Western name of DOS or Windows is read as code page 437, and one of Unix as Windows-1252', () => {
    expect(decodeZipNames([name(Buffer.from([0x81, 0x62, 0x65, 0x72]))])).toEqual(['über']);
    expect(decodeZipNames([name(Buffer.from('über', 'latin1'), false)])).toEqual(['über']);
    // Too short for statistics, but no Western word looks like this.
    expect(decodeZipNames([name(encoderFor('ibm866')('Счета'))])).toEqual(['Счета']);
    expect(decodeZipNames([name(encoderFor('shift_jis')('テスト.txt'))])).toEqual(['テスト.txt']);
    expect(decodeZipNames([name(encoderFor('ibm437')('Grâce.txt'))])).toEqual(['Grâce.txt']);
  });
  it('a stored Unicode name replaces the other one', () => {
    expect(decodeZipNames([{ ...name(Buffer.from('?.txt')), unicode: 'ナ.txt' }])).toEqual(['ナ.txt']);
  });
});
