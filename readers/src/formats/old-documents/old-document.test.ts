import { afterAll, expect, it } from 'vitest';
import { photo } from '../../../test/samples/images.ts';
import { makeHangul3, makeInDesign, makeQuattroNotebook } from '../../../test/samples/rare-documents.ts';
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
