/** One line of iCalendar or vCard after unfolding: `NAME;PARAMETER=x:value`. */
export interface ContentLine {
  name: string;
  parameters: Record<string, string>;
  value: string;
}

/** Long lines are folded onto the next ones, which begin with a space; quoted-printable ones end in `=`. */
export function* contentLines(text: string): Generator<ContentLine> {
  const unfolded = text.replace(/\r\n?/g, '\n').replace(/(?<!=)\n[ \t]/g, '');
  let held = '';
  for (const line of unfolded.split('\n')) {
    const whole = held + line;
    if (/QUOTED-PRINTABLE/i.test(whole.slice(0, whole.indexOf(':') + 1)) && line.endsWith('=')) {
      held = whole.slice(0, -1);
      continue;
    }
    held = '';
    const parsed = parseLine(whole);
    if (parsed) yield parsed;
  }
}

function parseLine(line: string): ContentLine | undefined {
  const match = /^(?:[\w-]+\.)?([A-Za-z][\w-]*)((?:;(?:"[^"]*"|[^:;"])*)*):(.*)$/s.exec(line.slice(0, 200_000));
  if (!match) return undefined;
  const parameters: Record<string, string> = {};
  for (const [, key, value] of match[2]!.matchAll(/;([\w-]+)(?:=("[^"]*"|[^;]*))?/g))
    parameters[key!.toUpperCase()] = (value ?? '').replaceAll('"', '');
  const quoted = /QUOTED-PRINTABLE/i.test(parameters['ENCODING'] ?? '') || 'QUOTED-PRINTABLE' in parameters;
  return { name: match[1]!.toUpperCase(), parameters, value: quoted ? decodeQuotedPrintable(match[3]!) : unescapeText(match[3]!) };
}

function decodeQuotedPrintable(text: string): string {
  const bytes = Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  return bytes.toString('utf8');
}

const unescapeText = (text: string): string =>
  text.replace(/\\([nN;,\\])/g, (_, letter: string) => (letter.toLowerCase() === 'n' ? '\n' : letter));
