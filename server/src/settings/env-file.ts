/**
 * An environment file has NAME=value lines, optionally with `export ` in front, and `#` comments. A value is unquoted, in single quotes
 * (literal) or in double quotes (with \n, \t, \", \\ and \$). A quoted value may span lines. In unquoted and double-quoted values ${NAME} and
 * ${NAME:-text} are replaced from the process environment, then from earlier lines, so that Docker Compose can use the same file.
 */
interface EnvFileLine {
  readonly value: string;
  readonly line: number;
}

export interface EnvFile {
  readonly values: ReadonlyMap<string, EnvFileLine>;
  /** Messages about invalid lines. They never contain a value, which could be secret. */
  readonly problems: readonly string[];
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=[ \t]*/;
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

export function parseEnvFile(text: string, env: Readonly<Record<string, string | undefined>> = {}): EnvFile {
  // A byte order mark needs no handling: it matches \s in the patterns below.
  const lines = text.split(/\r?\n/);
  const values = new Map<string, EnvFileLine>();
  const problems: string[] = [];
  const lookUp = (name: string) => env[name] ?? values.get(name)?.value;

  for (let index = 0; index < lines.length; index++) {
    const line = index + 1;
    const start = lines[index] ?? '';
    if (/^\s*(#|$)/.test(start)) continue;
    const match = assignment.exec(start);
    if (!match?.[1]) {
      problems.push(`Line ${line} is not in the form NAME=value. Correct it, or put # in front of it.`);
      continue;
    }
    let rest = start.slice(match[0].length);
    const quote = rest[0] === '"' || rest[0] === "'" ? rest[0] : undefined;
    if (quote) {
      while (closingQuote(rest, quote) < 0 && index + 1 < lines.length) rest += `\n${lines[++index]}`;
      if (closingQuote(rest, quote) < 0) {
        problems.push(`Line ${line} has an unclosed quote in the value of ${match[1]}.`);
        continue;
      }
    }
    const missing: string[] = [];
    values.set(match[1], { value: readValue(rest, quote, lookUp, missing), line });
    for (const name of missing) problems.push(`Line ${line} uses \${${name}}, which is not set before it.`);
  }
  return { values, problems };
}

function readValue(rest: string, quote: string | undefined, lookUp: (name: string) => string | undefined, missing: string[]): string {
  if (quote === "'") return rest.slice(1, closingQuote(rest, quote));
  const bare = quote ? rest.slice(1, closingQuote(rest, quote)) : rest.replace(/(^|\s)#.*$/, '').trim();
  // A single pass, so that escaped dollar signs and replaced text are not expanded again.
  return bare.replace(/\\(.)|\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/gs, (whole, escaped, name, otherwise) => {
    if (escaped !== undefined) return quote || escaped === '$' ? (escapes[escaped] ?? escaped) : whole;
    const value = otherwise === undefined ? lookUp(name) : lookUp(name) || otherwise;
    if (value === undefined) missing.push(name);
    return value ?? '';
  });
}

/** Index of the closing quote, or -1. */
function closingQuote(rest: string, quote: string): number {
  for (let at = 1; at < rest.length; at++) {
    if (rest[at] === '\\' && quote === '"') at++;
    else if (rest[at] === quote) return at;
  }
  return -1;
}
