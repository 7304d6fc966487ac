/** The text atoms of a PowerPoint 97-2003 presentation: containers are entered, everything else is stepped over. */
import type { BodyText } from '../../body-text.ts';

const TEXT_CHARS = 4000;
const TEXT_BYTES = 4008;
const STRING = 4026;

export function collectPowerPointText(document: Buffer, body: BodyText): void {
  for (let at = 0; at + 8 <= document.length; ) {
    const container = ((document[at] as number) & 0x0f) === 0x0f;
    const type = document.readUInt16LE(at + 2);
    const length = document.readUInt32LE(at + 4);
    at += 8;
    if (container) continue;
    if (type === TEXT_CHARS || type === STRING) body.add(clean(document.toString('utf16le', at, Math.min(at + length, document.length))));
    else if (type === TEXT_BYTES) body.add(clean(document.toString('latin1', at, Math.min(at + length, document.length))));
    if (type === TEXT_CHARS || type === TEXT_BYTES || type === STRING) body.break();
    if (body.full()) {
      body.leaveOut();
      return;
    }
    at += length;
  }
}

function clean(text: string): string {
  return text.replace(/[\r\u000b]/g, '\n').replace(/[\u0000-\u0008\u000e-\u001f]/g, '');
}
