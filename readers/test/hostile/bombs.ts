/** Small files that unpack to large ones: flat, nested, overlapping or with wrong sizes; expanding XML; text without line ends. */
import { deflateRawSync, gzipSync } from 'node:zlib';
import { makeOverlappingZip, makeTar, makeZip } from '../samples/archives.ts';
import type { HostileCase } from './hostile-case.ts';

const MB = 1024 * 1024;
const zipped = (name: string, data: Buffer | string, declaredSize?: number): Buffer =>
  makeZip([{ name, data, ...(declaredSize !== undefined && { declaredSize }) }]);

/** The member of each zip-based format that its extractor unpacks. */
const documents: [filename: string, part: string, open: string, close: string][] = [
  ['bomb.docx', 'word/document.xml', '<w:document xmlns:w="w"><w:body><w:p><w:r><w:t>', '</w:t></w:r></w:p></w:body></w:document>'],
  ['bomb.odt', 'content.xml', '<c><body><p>', '</p></body></c>'],
  ['bomb.fbz', 'book.fb2', '<FictionBook><body><p>', '</p></body></FictionBook>'],
];

const flat: HostileCase[] = documents.flatMap(([filename, part, open, close]) => {
  const inside = () => Buffer.concat([Buffer.from(open), Buffer.alloc(48 * MB, 0x20), Buffer.from(close)]);
  return [
    { family: 'bomb', name: 'flat bomb', filename, build: () => zipped(part, inside()), endings: ['guard'] },
    { family: 'bomb', name: 'bomb that declares 100 bytes', filename, build: () => zipped(part, inside(), 100), endings: ['guard'] },
    {
      family: 'bomb',
      name: 'member that declares 8 TB',
      filename,
      build: () => zipped(part, `${open}x${close}`, 0xfffffff0),
      endings: ['guard'],
    },
  ];
});

const overlapping: HostileCase[] = ['zip', 'jar', 'cbz', 'docx', 'xlsx', 'pptx', 'odt', 'epub', '3mf'].map((extension) => ({
  family: 'bomb',
  name: 'members that share bytes',
  filename: `overlap.${extension}`,
  build: () => makeOverlappingZip(200),
  endings: ['guard', 'corrupt'],
}));

function nestedZip(depth: number): Buffer {
  let inner: Buffer = zipped('zeros', Buffer.alloc(8 * MB));
  for (let i = 0; i < depth; i++) inner = makeZip(Array.from({ length: 4 }, (_, k) => ({ name: `${i}-${k}.zip`, data: inner })));
  return inner;
}

const nested: HostileCase[] = [
  { family: 'bomb', name: 'zips in zips', filename: 'nested.zip', build: () => nestedZip(4), endings: ['result', 'guard'] },
  {
    family: 'bomb',
    name: 'zips in zips as a comic',
    filename: 'nested.cbz',
    build: () => nestedZip(3),
    endings: ['result', 'guard', 'corrupt'],
  },
  {
    family: 'bomb',
    name: '128 MB of zeros in tar.gz',
    filename: 'zeros.tar.gz',
    build: () => gzipSync(makeTar([{ name: 'zeros', data: Buffer.alloc(128 * MB) }])),
    endings: ['result', 'guard'],
  },
  {
    family: 'bomb',
    name: 'zeros in gz',
    filename: 'zeros.gz',
    build: () => gzipSync(Buffer.alloc(128 * MB)),
    endings: ['result', 'guard'],
  },
  {
    family: 'bomb',
    name: 'gz in gz',
    filename: 'twice.gz',
    build: () => gzipSync(gzipSync(Buffer.alloc(64 * MB))),
    endings: ['result', 'guard'],
  },
  {
    family: 'bomb',
    name: 'drawing of spaces in svgz',
    filename: 'wide.svgz',
    build: () => gzipSync(Buffer.concat([Buffer.from('<svg>'), Buffer.alloc(48 * MB, 0x20), Buffer.from('</svg>')])),
    endings: ['guard'],
  },
  {
    family: 'bomb',
    name: '40,000 parts',
    filename: 'parts.docx',
    build: () => makeZip(Array.from({ length: 40_000 }, (_, i) => ({ name: `p${i}`, store: true }))),
    endings: ['guard', 'corrupt'],
  },
  {
    family: 'bomb',
    name: '40,000 members',
    filename: 'members.zip',
    build: () => makeZip(Array.from({ length: 40_000 }, (_, i) => ({ name: `m${i}`, store: true }))),
    endings: ['result', 'guard'],
  },
  {
    family: 'bomb',
    name: 'directory that claims 65,534 members',
    filename: 'claim.zip',
    build: () => makeZip([{ name: 'a', data: 'a' }], { declaredCount: 65_534 }),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'bomb',
    name: 'member inside itself',
    filename: 'quine.docx',
    build: () => makeZip([{ name: 'word/document.xml', data: deflateRawSync(Buffer.alloc(MB)), offset: 0 }]),
    endings: ['corrupt', 'guard'],
  },
];

const laughs = `<!DOCTYPE x [<!ENTITY a "ha">${Array.from({ length: 12 }, (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? '' : i - 1};`.repeat(10)}">`).join('')}]>`;
const external = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
const deep = (open: string, close: string) => open + '<g>'.repeat(100_000) + '</g>'.repeat(100_000) + close;

const entities: HostileCase[] = [
  ...[laughs, external].flatMap((doctype): HostileCase[] => [
    {
      family: 'entities',
      name: 'declared in a drawing',
      filename: 'laugh.svg',
      build: () => Buffer.from(`${doctype}<svg><text>&a11;</text></svg>`),
      endings: ['guard'],
    },
    {
      family: 'entities',
      name: 'declared in a Word document',
      filename: 'laugh.docx',
      build: () => zipped('word/document.xml', `${doctype}<d>&a11;</d>`),
      endings: ['guard'],
    },
    {
      family: 'entities',
      name: 'declared in a FictionBook',
      filename: 'laugh.fb2',
      build: () => Buffer.from(`${doctype}<FictionBook>&a11;</FictionBook>`),
      endings: ['guard'],
    },
    {
      family: 'entities',
      name: 'declared in an OpenDocument',
      filename: 'laugh.odt',
      build: () => zipped('content.xml', `${doctype}<d>&a11;</d>`),
      endings: ['guard'],
    },
    {
      family: 'entities',
      name: 'declared in a flat OpenDocument',
      filename: 'laugh.fodt',
      build: () => Buffer.from(`${doctype}<d>&a11;</d>`),
      endings: ['guard'],
    },
    {
      family: 'entities',
      name: 'declared in an e-book',
      filename: 'laugh.epub',
      build: () => zipped('META-INF/container.xml', `${doctype}<d>&a11;</d>`),
      endings: ['guard'],
    },
    {
      family: 'entities',
      name: 'declared in a workbook',
      filename: 'laugh.xlsx',
      build: () => zipped('xl/workbook.xml', `${doctype}<d>&a11;</d>`),
      endings: ['guard'],
    },
    {
      family: 'entities',
      name: 'declared in a playlist',
      filename: 'laugh.xspf',
      build: () => Buffer.from(`${doctype}<playlist>&a11;</playlist>`),
      endings: ['guard'],
    },
  ]),
  {
    family: 'entities',
    name: 'XML nested 100,000 deep',
    filename: 'deep.svg',
    build: () => Buffer.from(deep('<svg>', '</svg>')),
    endings: ['guard'],
  },
  {
    family: 'entities',
    name: 'Word XML nested 100,000 deep',
    filename: 'deep.docx',
    build: () => zipped('word/document.xml', deep('<d>', '</d>')),
    endings: ['guard'],
  },
  {
    family: 'entities',
    name: 'HTML nested 500,000 deep',
    filename: 'deep.html',
    build: () => Buffer.from('<div>'.repeat(500_000)),
    endings: ['result'],
  },
  {
    family: 'entities',
    name: 'a tag with a 20 MB attribute',
    filename: 'attribute.html',
    build: () => Buffer.from(`<p title="${'x'.repeat(15 * MB)}">word</p>`),
    endings: ['result'],
  },
  {
    family: 'entities',
    name: 'a million unfinished tags',
    filename: 'tags.html',
    build: () => Buffer.from('<'.repeat(MB)),
    endings: ['result'],
  },
  {
    family: 'entities',
    name: 'scripts that never end',
    filename: 'scripts.html',
    build: () => Buffer.from('<script></scrip'.repeat(200_000)),
    endings: ['result'],
  },
  {
    family: 'entities',
    name: 'JSON nested a million deep',
    filename: 'deep.ipynb',
    build: () => Buffer.from('['.repeat(MB)),
    endings: ['corrupt'],
  },
  {
    family: 'entities',
    name: 'rich text nested 200,000 deep',
    filename: 'deep.rtf',
    build: () => Buffer.from(`{\\rtf1${'{'.repeat(200_000)}`),
    endings: ['result', 'corrupt'],
  },
];

export const bombs: readonly HostileCase[] = [...flat, ...overlapping, ...nested, ...entities];
