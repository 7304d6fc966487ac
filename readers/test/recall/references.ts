/** Programs of Debian that extract the text of the same files, each by a way of its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';

export interface Reference {
  tool: string;
  /** The Debian package to install. */
  package: string;
  /** The text of a file. Throws if the program cannot read it. */
  read(path: string): string;
}

const run = (tool: string, args: string[], input?: string): string =>
  execFileSync(tool, args, { encoding: 'utf8', maxBuffer: 256 << 20, timeout: 120_000, input, stdio: ['pipe', 'pipe', 'ignore'] });

/** Converts a file with LibreOffice and returns the text of all files that it writes. */
export function libreOfficeText(path: string, filter: string, input: string[] = []): string {
  const folder = mkdtempSync(join(tmpdir(), 'catalog-recall-'));
  try {
    run('soffice', [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      ...input,
      '--convert-to',
      filter,
      '--outdir',
      `${folder}/out`,
      path,
    ]);
    const files = readdirSync(`${folder}/out`);
    if (files.length === 0) throw new Error('LibreOffice wrote no file.');
    return files.map((name) => readFileSync(join(folder, 'out', name), 'utf8')).join('\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The numbers before the items of a list are not text of the document: LibreOffice counts them. */
const plainText = (path: string): string =>
  libreOfficeText(path, 'txt:Text (encoded):UTF8').replace(/^\s*(?:\(?(?:\d+|[A-Za-z]|[ivxlcdm]+)[.)])+(?=\s)/gim, ' ');
/** Every sheet in a file of its own, with the cells as they are shown. */
const allSheets = 'csv:Text - txt - csv (StarCalc):9,34,76,1,,0,false,true,true,false,false,-1';

/** Without it, LibreOffice opens a damaged workbook as a text. */
const workbookOnly = ['--infilter=MS Excel 97'];

export const references: Readonly<Record<string, Reference>> = {
  xls: { tool: 'soffice', package: 'libreoffice-calc-nogui', read: (path) => libreOfficeText(path, allSheets, workbookOnly) },
  odt: { tool: 'soffice', package: 'libreoffice-writer-nogui', read: plainText },
  rtf: { tool: 'soffice', package: 'libreoffice-writer-nogui', read: plainText },
  doc: { tool: 'soffice', package: 'libreoffice-writer-nogui', read: plainText },
  html: { tool: 'w3m', package: 'w3m', read: webText },
  msg: { tool: 'msgconvert', package: 'libemail-outlook-message-perl libemail-address-perl', read: outlookText },
};

/** Names of pictures without a description and the time of a redirection are notes of the program, not text of the page. */
function webText(path: string): string {
  const options = ['-dump', '-T', 'text/html', '-O', 'UTF-8', '-cols', '400', '-o', 'pseudo_inlines=0'];
  if (readFileSync(path).subarray(0, 16).includes(0)) throw new Error('w3m does not read UTF-16.');
  return run('w3m', [...options, path]).replace(/^Refresh \(\d+ sec\).*$/gm, '');
}

/** msgconvert writes a message, of which the decoded text parts count. */
function outlookText(path: string): string {
  const message = run('msgconvert', ['--outfile', '-', path]);
  return `${header(message, 'Subject')}\n${textParts(message).join('\n')}`;
}

function header(message: string, name: string): string {
  const value = new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(message.split(/\r?\n\r?\n/, 1)[0] ?? '')?.[1] ?? '';
  return value.replace(/=\?([^?]+)\?([BQ])\?([^?]*)\?=/gi, (_, charset: string, kind: string, data: string) =>
    new TextDecoder(charset).decode(kind.toUpperCase() === 'B' ? Buffer.from(data, 'base64') : quotedPrintable(data.replaceAll('_', ' '))),
  );
}

function textParts(entity: string): string[] {
  const [head = '', ...rest] = entity.split(/\r?\n\r?\n/);
  const body = rest.join('\n\n');
  const fields = head.replace(/\r?\n[ \t]+/g, ' ');
  const boundary = /^content-type:\s*multipart\/.*boundary="?([^";\r\n]+)/im.exec(fields)?.[1];
  if (boundary !== undefined)
    return body
      .split(`--${boundary}`)
      .slice(1)
      .flatMap((part) => (part.startsWith('--') ? [] : textParts(part.replace(/^\r?\n/, ''))));
  if (/^content-type:(?!\s*text\/plain)/im.test(fields) || /^content-disposition:\s*attachment/im.test(fields)) return [];
  const encoding = /^content-transfer-encoding:\s*(\S+)/im.exec(fields)?.[1]?.toLowerCase();
  const charset = /^content-type:.*charset="?([\w-]+)/im.exec(fields)?.[1] ?? 'utf-8';
  const bytes =
    encoding === 'base64' ? Buffer.from(body, 'base64') : encoding === 'quoted-printable' ? quotedPrintable(body) : Buffer.from(body);
  return [new TextDecoder(charset).decode(bytes)];
}

function quotedPrintable(text: string): Buffer {
  return Buffer.from(
    text.replace(/=\r?\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
}

export const extensionOf = (path: string): string => extname(basename(path)).slice(1).toLowerCase();
