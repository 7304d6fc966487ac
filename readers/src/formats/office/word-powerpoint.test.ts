import { afterAll, expect, it } from 'vitest';
import { makeCompoundFile } from '../../../test/samples/compound-files.ts';
import { encoderFor } from '../../../test/samples/languages.ts';
import { u16le, u32le } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { legacyOffice } from './legacy-office.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

it('a Word 6 document is read in the code page of its language', async () => {
  const words = encoderFor('windows-1251')('Старый документ');
  const word = Buffer.alloc(1024);
  u16le(0xa5dc).copy(word, 0);
  u16le(104).copy(word, 2);
  u16le(0x419).copy(word, 6);
  u32le(768).copy(word, 0x18);
  u32le(768 + words.length).copy(word, 0x1c);
  words.copy(word, 768);
  expect((await legacyOffice.read(samples.source('a.doc', makeCompoundFile({ WordDocument: word })))).bodyText).toBe('Старый документ');
});

it('a Word 6 document in another script than its language states is read in its own charset', async () => {
  const words = encoderFor('windows-1251')('Компания предлагает со склада следующий ассортимент настоящих молдавских вин и соков');
  const word = Buffer.alloc(1024);
  u16le(0xa5dc).copy(word, 0);
  u16le(0x409).copy(word, 6);
  u32le(768).copy(word, 0x18);
  u32le(768 + words.length).copy(word, 0x1c);
  words.copy(word, 768);
  const { bodyText } = await legacyOffice.read(samples.source('c.doc', makeCompoundFile({ WordDocument: word })));
  expect(bodyText).toContain('Компания предлагает');
});

it('single bytes of Word 97 are in the same code page on a Macintosh', async () => {
  const word = Buffer.alloc(1024);
  u16le(0xa5ec).copy(word, 0);
  u16le(193).copy(word, 2);
  word[0x13] = 17;
  u16le(0x100).copy(word, 0x14);
  u32le(768).copy(word, 0x18);
  u32le(768 + 6).copy(word, 0x1c);
  Buffer.from('\x93test\x94', 'latin1').copy(word, 768);
  expect((await legacyOffice.read(samples.source('d.doc', makeCompoundFile({ WordDocument: word })))).bodyText).toBe('“test”');
});

it('a Word document of a Macintosh is read in its charset, and one of Word 2 without a container', async () => {
  const document = (magic: number, charset: number, words: Buffer) => {
    const word = Buffer.alloc(1024);
    u16le(magic).copy(word, 0);
    u16le(0x409).copy(word, 6);
    u16le(charset).copy(word, 0x14);
    u32le(768).copy(word, 0x18);
    u32le(768 + words.length).copy(word, 0x1c);
    words.copy(word, 768);
    return word;
  };
  const mac = document(0xa5dc, 0x100, Buffer.from('r\x8esum\x8e', 'latin1'));
  expect((await legacyOffice.read(samples.source('mac.doc', makeCompoundFile({ WordDocument: mac })))).bodyText).toBe('résumé');
  const second = document(0xa5db, 0, Buffer.from('written in 1992'));
  expect((await legacyOffice.read(samples.source('second.doc', second))).bodyText).toBe('written in 1992');
});

it('the text of PowerPoint 95 is read from its own stream', async () => {
  const bytes = makeCompoundFile({ 'PowerPoint Document': Buffer.alloc(64), Text_Content: Buffer.from('Harbour plan\r\rFirst pier') });
  expect((await legacyOffice.read(samples.source('old.ppt', bytes))).bodyText).toBe('Harbour plan\n\nFirst pier');
});
