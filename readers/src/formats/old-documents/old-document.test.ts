import { afterAll, expect, it } from 'vitest';
import { photo } from '../../../test/samples/images.ts';
import { makeHangul3, makeInDesign, makeQuattroNotebook, sheetRecord } from '../../../test/samples/rare-documents.ts';
import { u16le } from '../../../test/samples/sample.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { EncryptedError } from '../../contract.ts';
import { renderTiers } from '../../render/thumbnails.ts';
import { oldDocument } from './old-document.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

it('a document of Hangul 3 yields paragraphs, tables, captions and footnotes', async () => {
  const { bodyText } = await oldDocument.read(samples.source('a.hwp', makeHangul3()));
  expect(bodyText).toBe('한글 문서 伽\nA\n표\ncaption\nnote\nend');
});

it('a document of Hangul 3 with a password counts as encrypted', async () => {
  const bytes = makeHangul3();
  bytes.writeUInt16LE(1, 30 + 96);
  await expect(oldDocument.read(samples.source('b.hwp', bytes))).rejects.toBeInstanceOf(EncryptedError);
});

it('a notebook of Quattro Pro yields each sheet by column', async () => {
  const { bodyText, metadata } = await oldDocument.read(samples.source('a.qpw', makeQuattroNotebook()));
  expect(bodyText).toBe('Harbour\nMooring Vessel 41689\n12 11 10 7.5 0.25\nJoined by formula');
  expect(metadata).toMatchObject({ cells: 9, sheet_count: 1 });
});

it('an InDesign document shows the picture of its first page, and none if it is damaged', async () => {
  const sizes = { gridPx: 32, previewPx: 64 };
  const picture = await photo(48, 32).jpeg().toBuffer();
  expect(await renderTiers(samples.source('a.indd', makeInDesign(picture)), sizes)).not.toBeNull();
  expect(await renderTiers(samples.source('b.indd', makeInDesign(Buffer.from('no picture'))), sizes)).toBeNull();
});

it('a worksheet of Quattro Pro for DOS yields its texts, numbers and results', async () => {
  const at = Buffer.from([0, 0, 3, 0, 0, 4]);
  const double = Buffer.alloc(8);
  double.writeDoubleLE(30.5);
  const bytes = Buffer.concat([
    sheetRecord(0, u16le(0x5121)),
    sheetRecord(15, at, Buffer.from([0x27, 6, 0x82, 0x74, 0x82, 0x73, 0x3a, 0x31])),
    sheetRecord(13, at, u16le(4003)),
    sheetRecord(16, at, double, u16le(0)),
    sheetRecord(51, at, Buffer.from([3]), Buffer.from('sal')),
    sheetRecord(1),
  ]);
  const { bodyText, metadata } = await oldDocument.read(samples.source('soil.wq2', bytes));
  expect(bodyText).toBe('étés:1 4003 30.5 sal');
  expect(metadata).toMatchObject({ format: 'Quattro Pro', cells: 4 });
});
