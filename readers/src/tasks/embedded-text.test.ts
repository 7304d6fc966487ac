import { afterAll, expect, it } from 'vitest';
import { makeCompoundFile } from '../../test/samples/compound-files.ts';
import { makeSignedFile } from '../../test/samples/mails.ts';
import { makeDocx } from '../../test/samples/office.ts';
import { u32le } from '../../test/samples/sample.ts';
import { openSampleFolder } from '../../test/samples/source.ts';
import { createSandboxPool } from '../sandbox/pool.ts';

const samples = openSampleFolder();
const pool = createSandboxPool({ size: 1, background: false });
afterAll(() => {
  pool.close();
  samples.remove();
});
const read = async (name: string, bytes: Buffer) => {
  const outcome = await pool.extract(samples.source(name, bytes));
  if (!outcome.ok || outcome.unsupported) throw new Error(JSON.stringify(outcome));
  return outcome.extracted;
};

const message = (parts: readonly (readonly [string, Buffer])[]) =>
  Buffer.from(
    [
      'From: a@b\r\nSubject: Plans\r\nMessage-ID: <3@x>\r\nIn-Reply-To: <2@x>\r\nReferences: <1@x> <2@x>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="q"\r\n',
      '--q\r\nContent-Type: text/plain\r\n\r\nSee the drawings.',
      ...parts.map(
        ([name, bytes]) =>
          `--q\r\nContent-Type: application/octet-stream\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${bytes.toString('base64')}`,
      ),
      '--q--\r\n',
    ].join('\r\n'),
  );

it('the text of attachments is found under the message, and a damaged one does not cost the others', async () => {
  const inner = message([['inner.txt', Buffer.from('nested words')]]);
  const { bodyText, metadata } = await read(
    'mail.eml',
    message([
      ['broken.docx', Buffer.from('PK broken')],
      ['plan.docx', makeDocx(['the harbour crane'])],
      ['forwarded.eml', inner],
    ]),
  );
  for (const words of ['See the drawings.', 'the harbour crane', 'nested words', 'broken.docx']) expect(bodyText).toContain(words);
  expect(metadata['attachments']).toHaveLength(3);
  // Parts are separated like pages: the message, then each attachment, also one without text.
  const parts = bodyText?.split('\f') ?? [];
  expect(parts).toHaveLength(4);
  expect(parts.map((part) => ['drawings', 'crane', 'nested'].filter((word) => part.includes(word)))).toEqual([
    ['drawings'],
    [],
    ['crane'],
    ['drawings', 'nested'],
  ]);
});

it('a message states its thread, which all replies have in common', async () => {
  const { metadata } = await read('mail.eml', message([]));
  expect(metadata).toMatchObject({ email_in_reply_to: '<2@x>', email_references: ['<1@x>', '<2@x>'], email_thread: '<1@x>' });
});

it('an Outlook message is read in its code page, with the text of its attachments and of rich text without a plain one', async () => {
  const wide = (text: string) => Buffer.from(text, 'utf16le');
  const stored = Buffer.from('{\\rtf1\\ansi the rich body}');
  const rtf = Buffer.concat([u32le(stored.length + 12), u32le(stored.length), u32le(0x414c454d), u32le(0), stored]);
  const properties = Buffer.concat([Buffer.alloc(32), u32le(0x3ffd0003), u32le(6), u32le(1251), u32le(0)]);
  const { bodyText, metadata } = await read(
    'mail.msg',
    makeCompoundFile({
      '__properties_version1.0': properties,
      '__substg1.0_0037001E': Buffer.from('cff0e8e2e5f2', 'hex'),
      '__substg1.0_10090102': rtf,
      '__attach_version1.0_#00000000/__substg1.0_3707001F': wide('notes.txt'),
      '__attach_version1.0_#00000000/__substg1.0_37010102': Buffer.from('attached words'),
    }),
  );
  expect(metadata['email_subject']).toBe('Привет');
  for (const words of ['the rich body', 'notes.txt', 'attached words']) expect(bodyText).toContain(words);
});

it('a signed file that is not a message is read by the name it had', async () => {
  const invoice = makeSignedFile(Buffer.from('<?xml version="1.0"?><invoice><item>forty anchors</item></invoice>'));
  expect(await read('invoice.xml.p7m', invoice)).toMatchObject({ bodyText: 'forty anchors', metadata: { email_signed: true } });
  expect(await read('plain.p7m', makeSignedFile(Buffer.from('a signed note')))).toMatchObject({ bodyText: 'a signed note' });
});
