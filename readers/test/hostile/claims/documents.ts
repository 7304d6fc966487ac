/** Documents whose parts declare more than they have, or refer to each other in a circle. */
import { makeCompoundFile } from '../../samples/compound-files.ts';
import { makeProject } from '../../samples/project.ts';
import { u16le, u32le } from '../../samples/sample.ts';
import type { HostileCase } from '../hostile-case.ts';

const pdfOf = (objects: readonly string[], trailer = '<< /Root 1 0 R >>'): Buffer =>
  Buffer.from(
    `%PDF-1.4\n${objects.map((body, i) => `${i + 1} 0 obj\n${body}\nendobj\n`).join('')}trailer\n${trailer}\nstartxref\n0\n%%EOF\n`,
  );

export const documents: HostileCase[] = [
  ...(
    [
      ['that never ends', '0 0 9 9 rectfill { 1 1 add pop } loop'],
      ['that takes all memory', '/a { 1000000 array } def { a } loop'],
      ['that doubles a string', '/s (ab) def { /s [ s s ] def } loop'],
      ['that calls itself', '/f { f f } def f'],
    ] as const
  ).map(
    ([name, program]): HostileCase => ({
      family: 'circles',
      name: `PostScript ${name}`,
      filename: 'program.eps',
      build: () => Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n${program}\n`),
      endings: ['result'],
    }),
  ),
  {
    family: 'circles',
    name: 'project whose 200,000 tasks share one value',
    filename: 'shared.mpp',
    build: () => {
      const tasks = Array.from({ length: 200_000 }, (_, id) => ({ id, fields: { 14: id === 0 ? 'x'.repeat(500_000) : 'x' } }));
      return makeProject(14, { tasks }, { shared: true });
    },
    endings: ['result', 'guard'],
  },
  {
    family: 'circles',
    name: 'PDF whose page tree holds itself',
    filename: 'self.pdf',
    build: () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000 >>']),
    endings: ['result', 'corrupt', 'guard', 'timeout'],
  },
  {
    family: 'circles',
    name: 'PDF whose objects refer to each other',
    filename: 'pair.pdf',
    build: () => pdfOf(['2 0 R', '1 0 R']),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'PDF that claims 2 billion pages',
    filename: 'pages.pdf',
    build: () => pdfOf(['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 2000000000 >>']),
    endings: ['result', 'corrupt', 'guard', 'timeout'],
  },
  {
    family: 'circles',
    name: 'PDF whose table of objects leads back to itself',
    filename: 'prev.pdf',
    build: () =>
      Buffer.from('%PDF-1.4\nxref\n0 1\n0000000000 65535 f \ntrailer\n<< /Root 1 0 R /Prev 9 /Size 9999999 >>\nstartxref\n9\n%%EOF\n'),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'PDF whose form draws itself',
    filename: 'form.pdf',
    build: () => loopingForm('/F Do', '/XObject << /F 5 0 R >>', '/Type /XObject /Subtype /Form /BBox [0 0 100 100]'),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'PDF whose pattern is painted with itself',
    filename: 'pattern.pdf',
    build: () =>
      loopingForm(
        '/Pattern cs /F scn 0 0 100 100 re f',
        '/Pattern << /F 5 0 R >>',
        '/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 1 /YStep 1',
      ),
    endings: ['result', 'corrupt', 'timeout'],
    seconds: 4,
  },
  {
    family: 'circles',
    name: 'PDF nested 100,000 deep',
    filename: 'deep.pdf',
    build: () => pdfOf([`<< /Type /Catalog /Pages ${'['.repeat(100_000)} >>`]),
    endings: ['result', 'corrupt', 'guard'],
  },
  {
    family: 'circles',
    name: 'compound file whose chains bite their tails',
    filename: 'tail.doc',
    build: () => {
      const bytes = makeCompoundFile({ WordDocument: Buffer.alloc(9000, 1), '0Table': Buffer.alloc(9000, 1) });
      return Buffer.from(bytes.map((byte, i) => (i > bytes.length - 512 ? 0 : byte)));
    },
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'compound file whose folders lead in a circle',
    filename: 'folders.msg',
    build: () => {
      const bytes = makeCompoundFile({ '__properties_version1.0': Buffer.alloc(64) });
      const at = bytes.indexOf(Buffer.from('Root Entry', 'utf16le'));
      bytes.writeUInt32LE(0, at + 76);
      return bytes;
    },
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'workbook whose records lie',
    filename: 'lie.xls',
    build: () =>
      makeCompoundFile({
        Workbook: Buffer.concat([
          u16le(0xfc),
          u16le(20),
          u32le(0xffffffff),
          u32le(0xffffffff),
          u16le(0xffff),
          Buffer.from([0x0d]),
          u16le(0xffff),
          u32le(0xffffffff),
          Buffer.alloc(8000, 0xff),
        ]),
      }),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'slides whose records lie',
    filename: 'lie.ppt',
    build: () =>
      makeCompoundFile({ 'PowerPoint Document': Buffer.concat([u16le(0), u16le(4000), u32le(0xffffffff), Buffer.alloc(8000, 0x41)]) }),
    endings: ['result', 'corrupt'],
  },
  {
    family: 'circles',
    name: 'book of 65,535 records',
    filename: 'claim.mobi',
    build: () => {
      const bytes = Buffer.alloc(4096);
      bytes.write('BOOKMOBI', 60);
      bytes.writeUInt16BE(65_535, 76);
      return bytes;
    },
    endings: ['corrupt'],
  },
];

/** A page that draws object 5, which draws itself. */
function loopingForm(draw: string, resources: string, kind: string): Buffer {
  const stream = (dictionary: string, text: string): string => `<< ${dictionary} /Length ${text.length} >>\nstream\n${text}\nendstream`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents 4 0 R /Resources << ${resources} >> >>`,
    stream('', draw),
    stream(`${kind} /Resources << ${resources} >>`, `${draw} ${draw}`),
  ];
  return pdfOf(objects);
}
