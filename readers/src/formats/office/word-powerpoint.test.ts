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

it('a Word 6 document with some words in another script is read in its charset, one with accents and dashes is not', async () => {
  const read = async (words: Buffer) => {
    const word = Buffer.alloc(1024);
    u16le(0xa5dc).copy(word, 0);
    u16le(0x409).copy(word, 6);
    u32le(768).copy(word, 0x18);
    u32le(768 + words.length).copy(word, 0x1c);
    words.copy(word, 768);
    return (await legacyOffice.read(samples.source('e.doc', makeCompoundFile({ WordDocument: word })))).bodyText;
  };
  const mixed = 'WndTitle = Установка Microsoft Word 6.0, Require31 = Данному приложению требуется новая версия Microsoft Windows.';
  expect(await read(encoderFor('windows-1251')(mixed))).toBe(mixed);
  const western = 'Ça a été «déjà vu» à Évian ——— où la “naïveté” de ces gens du village reste ÀÉÈÙ pour tout le monde ÄÄÄÄ';
  expect(await read(encoderFor('windows-1252')(western))).toBe(western);
});

it('a document of Word 95 for Asia is read by its pieces, in two bytes per character', async () => {
  const wide = (text: string) =>
    Buffer.concat(
      [
        ...encoderFor('shift_jis')(text)
          .toString('latin1')
          .matchAll(/[\x81-\x9f\xe0-\xfc][\s\S]|[\s\S]/g),
      ].map(([c]) => u16le(c.length === 1 ? c.charCodeAt(0) : (c.charCodeAt(0) << 8) | c.charCodeAt(1))),
    );
  const [first, second] = [wide('港の灯台'), wide(' lighthouse')];
  const word = Buffer.alloc(1024);
  u16le(0xa699).copy(word, 0);
  u16le(104).copy(word, 2);
  u16le(0x411).copy(word, 6);
  u16le(0x1004).copy(word, 10);
  u32le(768).copy(word, 0x18);
  u32le(768 + first.length + second.length).copy(word, 0x1c);
  // A fast save leaves the pieces in another order.
  second.copy(word, 768);
  first.copy(word, 768 + second.length);
  const piece = (from: number) => Buffer.concat([u16le(0), u32le(from), u16le(0)]);
  const table = Buffer.concat([u32le(0), u32le(4), u32le(15), piece(768 + second.length), piece(768)]);
  const pieces = Buffer.concat([Buffer.from([2]), u32le(table.length), table]);
  u32le(900).copy(word, 0x160);
  u32le(pieces.length).copy(word, 0x164);
  pieces.copy(word, 900);
  expect((await legacyOffice.read(samples.source('f.doc', makeCompoundFile({ WordDocument: word })))).bodyText).toBe('港の灯台 lighthouse');
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
