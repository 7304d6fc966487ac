import { afterAll, expect, it } from 'vitest';
import { encoderFor } from '../../../test/samples/languages.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
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
