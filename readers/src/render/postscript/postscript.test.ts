import sharp from 'sharp';
import { afterAll, describe, expect, it } from 'vitest';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { renderTiers } from '../thumbnails.ts';

const samples = openSampleFolder();
afterAll(samples.remove);

/** Draws a program on 100 x 100 points, and returns colours at points of the page. */
async function draw(program: string, name = 'a.eps') {
  const bytes = `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 100 100\n${program}`;
  const drawn = await renderTiers(samples.source(name, Buffer.from(bytes, 'latin1')), { gridPx: 100, previewPx: 200 });
  if (drawn === null) return null;
  const { data, info } = await sharp(drawn.preview).flatten({ background: 'white' }).raw().toBuffer({ resolveWithObject: true });
  return {
    at(x: number, y: number): number[] {
      const place = (Math.floor(((100 - y) * info.height) / 100) * info.width + Math.floor((x * info.width) / 100)) * info.channels;
      return [...data.subarray(place, place + 3)].map((value) => Math.round(value / 51));
    },
    ink: data.filter((value) => value < 100).length / data.length,
  };
}
const [white, black, red, green, blue] = [
  [5, 5, 5],
  [0, 0, 0],
  [5, 0, 0],
  [0, 5, 0],
  [0, 0, 5],
];

function ascii85(bytes: readonly number[]): string {
  const padded = Buffer.concat([Buffer.from(bytes), Buffer.alloc((4 - (bytes.length % 4)) % 4)]);
  let text = '';
  for (let at = 0; at < padded.length; at += 4) {
    let value = padded.readUInt32BE(at);
    let group = '';
    for (let i = 0; i < 5; i++) {
      group = String.fromCharCode(33 + (value % 85)) + group;
      value = Math.floor(value / 85);
    }
    text += group;
  }
  return text.slice(0, text.length - (padded.length - bytes.length));
}

describe('a PostScript program without a preview', () => {
  it('draws areas, curves, lines and clipped areas in their colours', async () => {
    const page = await draw(
      `1 0 0 setrgbcolor 10 10 30 30 rectfill
       gsave 60 60 translate 2 2 scale 0 1 0 setrgbcolor 0 0 moveto 15 0 lineto 15 15 lineto 0 15 lineto closepath fill grestore
       0 setgray 4 setlinewidth 50 0 moveto 50 50 lineto stroke
       newpath 0 50 moveto 50 50 lineto 50 100 lineto 0 100 lineto closepath clip newpath
       0 0 1 setrgbcolor newpath 40 70 25 0 360 arc fill`,
    );
    expect(page!.at(25, 25)).toEqual(red);
    expect(page!.at(75, 75)).toEqual(green);
    expect(page!.at(50, 20)).toEqual(black);
    expect(page!.at(40, 70)).toEqual(blue);
    // Outside the clipping path.
    expect(page!.at(57, 70)).toEqual(white);
    expect(page!.at(5, 5)).toEqual(white);
  });

  it('runs procedures, loops, conditions and dictionaries', async () => {
    const page = await draw(
      `/square { /s exch def /y exch def /x exch def x y s s rectfill } bind def
       5 dict begin /Pair << /a 20 /b 60 >> def
       0 1 3 { dup 2 mod 0 eq { 1 0 0 setrgbcolor } { 0 0 1 setrgbcolor } ifelse 25 mul 0 25 square } for
       Pair /a get Pair /b get 10 square end
       [ 70 80 ] { 60 10 square } forall
       { nosuchoperator } stopped { 0 1 0 setrgbcolor 40 40 10 square } if`,
    );
    expect(page!.at(12, 12)).toEqual(red);
    expect(page!.at(37, 12)).toEqual(blue);
    expect(page!.at(25, 65)).toEqual(blue);
    expect(page!.at(75, 65)).toEqual(blue);
    expect(page!.at(85, 65)).toEqual(blue);
    expect(page!.at(45, 45)).toEqual(green);
  });

  it('draws pictures from the data behind the program', async () => {
    const rgb = await draw(
      `gsave 100 100 scale /row 6 string def 2 2 8 [2 0 0 -2 0 2] { currentfile row readhexstring pop } false 3 colorimage
       ff0000 00ff00 0000ff ffffff
       grestore 0 setgray 45 45 10 10 rectfill`,
    );
    expect(rgb!.at(20, 80)).toEqual(red);
    expect(rgb!.at(80, 80)).toEqual(green);
    expect(rgb!.at(20, 20)).toEqual(blue);
    expect(rgb!.at(50, 50)).toEqual(black);
    // Four samples, packed in runs and written in base 85: three grey ones that are black, and a white one.
    const packed = ascii85([254, 0, 0, 255, 128]);
    const filtered = await draw(
      `100 100 scale 2 2 8 [2 0 0 -2 0 2] currentfile /ASCII85Decode filter /RunLengthDecode filter image\n${packed}~>\n`,
    );
    expect([filtered!.at(20, 80), filtered!.at(20, 20), filtered!.at(80, 20)]).toEqual([black, black, white]);
  });

  it('shows text', async () => {
    const page = await draw('/Helvetica-Bold findfont 40 scalefont setfont 5 30 moveto (WWW) show');
    expect(page!.ink).toBeGreaterThan(0.05);
  });

  it('is drawn as far as it comes: an unknown operator, an endless loop, only the first page', async () => {
    const page = await draw('1 0 0 setrgbcolor 0 0 50 100 rectfill 1 2 nosuchoperator 0 0 1 setrgbcolor 50 0 50 100 rectfill');
    expect(page!.at(20, 50)).toEqual(red);
    expect(page!.at(70, 50)).toEqual(blue);
    expect((await draw('1 0 0 setrgbcolor 0 0 100 100 rectfill { 1 pop } loop'))!.at(50, 50)).toEqual(red);
    expect((await draw('1 0 0 setrgbcolor 0 0 100 100 rectfill showpage 0 setgray 0 0 100 100 rectfill', 'a.ps'))!.at(50, 50)).toEqual(red);
  }, 60_000);

  it.each([
    ['a procedure that calls itself', '/f { f } def f'],
    ['a stack without end', '{ 1 } loop'],
    ['strings that grow', '/s 1000000 string def { s s s s } loop'],
    ['brackets without end', '{'.repeat(100_000)],
    ['a picture that is too large', '60000 60000 8 [1 0 0 1 0 0] { (a) } image'],
    ['nothing to draw', '%%EOF'],
  ])('has no picture if it is hostile or empty: %s', { timeout: 60_000 }, async (_, program) => {
    expect(await draw(program)).toBeNull();
  });
});
