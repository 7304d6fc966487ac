import { afterAll, expect, it } from 'vitest';
import { encoderFor } from '../../../test/samples/languages.ts';
import { makeMp3 } from '../../../test/samples/sounds.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { audio } from '../audio.ts';
import { email } from '../email/email.ts';
import { webPage } from './html.ts';
import { richText } from './rtf.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const cyrillic = encoderFor('windows-1251');
const japanese = encoderFor('shift_jis');
const hex = (bytes: Buffer): string => [...bytes].map((byte) => `\\'${byte.toString(16).padStart(2, '0')}`).join('');

it('a web page is read in the character set that it declares', async () => {
  const page = Buffer.concat([
    Buffer.from('<html><head><meta charset="windows-1251"></head><body><p>'),
    cyrillic('Привет'),
    Buffer.from('</p>'),
  ]);
  const { bodyText, metadata } = await webPage.read(samples.source('a.html', page));
  expect([bodyText, metadata['encoding']]).toEqual(['Привет', 'windows-1251']);
});

it('an XML document is read in the encoding that it declares, and its elements separate words', async () => {
  const xml = Buffer.concat([
    Buffer.from('<?xml version="1.0" encoding="koi8-r"?><list><item>'),
    encoderFor('koi8-r')('Привет'),
    Buffer.from('</item><item>b</item><![CDATA[a < c]]></list>'),
  ]);
  expect((await webPage.read(samples.source('a.xml', xml))).bodyText?.split(/\s+/)).toEqual(['Привет', 'b', 'a', '<', 'c']);
});

it('rich text is read by the character set of each font, also where a character is half escaped', async () => {
  const sjis = japanese('ソフト');
  // The second byte of the first character is a backslash in ASCII, as Word writes it.
  const half = `\\'${sjis[0]!.toString(16)}\\\\${hex(sjis.subarray(2))}`;
  const rtf = `{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset204 Arial;}{\\f2\\fcharset128 MS Gothic;}}
caf\\'e9 \\f1 ${hex(cyrillic('Привет'))} \\plain \\'e9t\\'e9 {\\f2 ${hex(sjis)}} {\\f2 ${half}}\\par}`;
  const { bodyText } = await richText.read(samples.source('a.rtf', rtf));
  expect(bodyText).toContain('café Привет été ソフト ソフト');
});

it('rich text shows comments, text boxes and results of fields and objects, but no codes', async () => {
  const rtf = String.raw`{\rtf1\ansi{\field{\*\fldinst HYPERLINK "secret"}{\fldrslt shown}}{\*\annotation remark}{\object{\*\objdata 0102}{\result picture}}{\shp{\*\shpinst{\shptxt boxed}}}{\*\unknown hidden}\bin4 {{{{ end\par}`;
  const { bodyText } = await richText.read(samples.source('b.rtf', rtf));
  for (const word of ['shown', 'remark', 'picture', 'boxed', 'end']) expect(bodyText).toContain(word);
  expect(bodyText).not.toMatch(/secret|hidden|0102/);
});

it('the text of a message is read in its declared character set, and in a detected one where none is declared', async () => {
  const message = (header: string, body: Buffer) => Buffer.concat([Buffer.from(`From: a@b\r\nSubject: x\r\n${header}\r\n`), body]);
  const text = 'Вчера вечером мы долго гуляли по набережной и разговаривали.';
  const read = async (bytes: Buffer) => (await email.read(samples.source('a.eml', bytes))).bodyText;
  expect(await read(message('Content-Type: text/plain; charset=cp866\r\n', encoderFor('ibm866')(text)))).toBe(text);
  expect(await read(message('Content-Type: text/plain; charset=ibm852\r\n', encoderFor('ibm852')('Zażółć gęślą jaźń')))).toBe(
    'Zażółć gęślą jaźń',
  );
  expect(await read(message('Content-Type: text/plain\r\n', cyrillic(text)))).toBe(text);
});

it('text after a head that is never closed, pictures’ descriptions and old character references are found', async () => {
  const html =
    '<html><head><title>T</title><h1>Heading</h1><p>It&#146;s caf&eacute &rarr; &OElig;uvre</p><img alt="a lighthouse"><noscript>without scripts</noscript>';
  const { bodyText } = await webPage.read(samples.source('c.html', html));
  for (const word of ['Heading', 'It’s café → Œuvre', 'a lighthouse', 'without scripts']) expect(bodyText).toContain(word);
});

const russian = { title: 'Группа крови', artist: 'Кино', album: 'Последний герой' };

it('tags of music without a declared encoding are read in the one that they were written in', async () => {
  const field = (bytes: Buffer, length: number) =>
    Buffer.concat([bytes.subarray(0, length), Buffer.alloc(Math.max(0, length - bytes.length))]);
  const id3v1 = (encode: (text: string) => Buffer, { title, artist, album }: typeof russian) =>
    Buffer.concat([
      Buffer.from('TAG'),
      field(encode(title), 30),
      field(encode(artist), 30),
      field(encode(album), 30),
      Buffer.alloc(34),
      Buffer.from([255]),
    ]);
  const frame = (id: string, bytes: Buffer) => Buffer.concat([Buffer.from(id), Buffer.from([0, 0, 0, bytes.length + 1, 0, 0, 0]), bytes]);
  const id3v2 = (encode: (text: string) => Buffer, { title, artist, album }: typeof russian) => {
    const frames = Buffer.concat([frame('TIT2', encode(title)), frame('TPE1', encode(artist)), frame('TALB', encode(album))]);
    return Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 3, 0, 0, 0, 0, frames.length >> 7, frames.length & 127]), frames]);
  };
  const sound = makeMp3();
  const silent = sound.subarray(sound.indexOf(Buffer.from([0xff, 0xfb])));
  const read = async (bytes: Buffer) => (await audio.read(samples.source('a.mp3', bytes))).metadata;
  expect(await read(Buffer.concat([silent, id3v1(cyrillic, russian)]))).toMatchObject(russian);
  expect(await read(Buffer.concat([id3v2(cyrillic, russian), silent]))).toMatchObject(russian);
  expect(await read(Buffer.concat([id3v2((text) => Buffer.from(text), russian), silent]))).toMatchObject(russian);
  const tokyo = { title: '東京の空の下で', artist: 'さくら', album: 'ひこうき雲' };
  expect(await read(Buffer.concat([id3v2(japanese, tokyo), silent]))).toMatchObject(tokyo);
  const western = { title: 'Jóga', artist: 'Björk', album: 'Homogénic' };
  expect(await read(Buffer.concat([id3v2((text) => Buffer.from(text, 'latin1'), western), silent]))).toMatchObject(western);
});

it('headers and parts of a message without a declared character set, or with a wrong one, are read in the one in use', async () => {
  const subject = 'Отчёт за третий квартал';
  const text = 'Вчера вечером мы долго гуляли по набережной и разговаривали.';
  const message = (subjectBytes: Buffer, header: string, body: Buffer) =>
    Buffer.concat([Buffer.from('From: a@b\r\nSubject: '), subjectBytes, Buffer.from(`\r\n${header}\r\n`), body]);
  const read = async (bytes: Buffer) => {
    const { metadata, bodyText } = await email.read(samples.source('a.eml', bytes));
    return [metadata['email_subject'], bodyText];
  };
  const word = (charset: string, bytes: Buffer) => Buffer.from(`=?${charset}?B?${bytes.toString('base64')}?=`);
  const both = [subject, text];
  // Raw bytes, with and without a character set of the text.
  expect(await read(message(cyrillic(subject), 'Content-Type: text/plain; charset=windows-1251\r\n', cyrillic(text)))).toEqual(both);
  expect(await read(message(cyrillic(subject), '', cyrillic(text)))).toEqual(both);
  expect(await read(message(Buffer.from(subject), '', Buffer.from(text)))).toEqual(both);
  // Character sets that do not exist or that are not those of the bytes.
  expect(
    await read(message(word('unknown-8bit', cyrillic(subject)), 'Content-Type: text/plain; charset=unknown-8bit\r\n', cyrillic(text))),
  ).toEqual(both);
  expect(
    await read(message(word('iso-8859-1', cyrillic(subject)), 'Content-Type: text/plain; charset=iso-8859-1\r\n', cyrillic(text))),
  ).toEqual(both);
  expect(
    await read(message(word('koi8-r', Buffer.from(subject)), 'Content-Type: text/plain; charset=gb2312\r\n', Buffer.from(text))),
  ).toEqual(both);
  expect(
    await read(
      message(word('cp866', encoderFor('ibm866')(subject)), 'Content-Type: text/plain; charset=cp866\r\n', encoderFor('ibm866')(text)),
    ),
  ).toEqual(both);
  // A character that is split between two encoded words.
  const bytes = Buffer.from(subject);
  const split = Buffer.concat([word('utf-8', bytes.subarray(0, 7)), Buffer.from('\r\n '), word('utf-8', bytes.subarray(7))]);
  expect(await read(message(split, 'Content-Type: text/plain; charset=utf-8\r\n', Buffer.from(text)))).toEqual(both);
});

it('a web page with stray control characters is read without them', async () => {
  const page = Buffer.from(`<html><body>${'<p>Harbour\0\x07 office</p>'.repeat(20)}</body></html>`);
  expect((await webPage.read(samples.source('stray.html', page))).bodyText).toContain('Harbour office');
  await expect(
    webPage.read(samples.source('binary.html', Buffer.concat([Buffer.from('<html>'), Buffer.alloc(4000)]))),
  ).rejects.toMatchObject({ kind: 'corrupt' });
});

it('a mark of optional destinations inside a group of RTF hides nothing, and a date of 1601 is none', async () => {
  const rtf = '{\\rtf1\\ansi{\\info{\\revtim\\yr1601\\mo1\\dy1}}{\\b0\\*\\cs7\\cf0 The quick fox}{\\*\\unknown hidden}{\\b x}}';
  const { bodyText, metadata } = await richText.read(samples.source('mark.rtf', rtf));
  expect(bodyText).toBe('The quick foxx');
  expect(metadata['modified']).toBeUndefined();
});
