/** Parses Meilisearch filters for the fake server; covers the grammar that the adapter writes. */
export type Row = Record<string, unknown>;
type Predicate = (row: Row) => boolean;

const shape = /\s*(?:("(?:\\.|[^"\\])*")|(>=|<=|>|<|=)|([()[\],])|([A-Za-z_][\w.]*)|(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?))/y;

export function parseFilterText(text: string): Predicate {
  const tokens: string[] = [];
  shape.lastIndex = 0;
  while (text.slice(shape.lastIndex).trim() !== '') {
    const match = shape.exec(text);
    if (!match) throw new Error(`Not a filter: ${text.slice(0, 80)}`);
    tokens.push(match[0].trim());
  }
  let at = 0;
  const next = (): string => tokens[at++] ?? '';
  const either = (): Predicate => chain(all, 'OR', (parts) => (row) => parts.some((part) => part(row)));
  const all = (): Predicate => chain(one, 'AND', (parts) => (row) => parts.every((part) => part(row)));
  function chain(read: () => Predicate, word: string, join: (parts: Predicate[]) => Predicate): Predicate {
    const parts = [read()];
    while (tokens[at] === word) {
      at += 1;
      parts.push(read());
    }
    return parts.length === 1 ? parts[0]! : join(parts);
  }
  function one(): Predicate {
    const token = next();
    if (token === 'NOT') {
      const inside = one();
      return (row) => !inside(row);
    }
    if (token === '(') {
      const inside = either();
      next();
      return inside;
    }
    if (token === '_geoRadius' || token === '_geoBoundingBox') return geo(token);
    return comparison(token);
  }
  function comparison(field: string): Predicate {
    const operator = next();
    if (operator === 'EXISTS') return (row) => row[field] !== undefined;
    if (operator === 'IN') {
      const wanted: unknown[] = [];
      for (let token = next(); token !== ']'; token = next()) if (token !== '[' && token !== ',') wanted.push(literal(token));
      return (row) => valuesOf(row[field]).some((each) => wanted.includes(folded(each)));
    }
    const wanted = literal(next());
    if (operator === '=') return (row) => valuesOf(row[field]).map(folded).includes(wanted);
    const compare: Record<string, (value: number) => boolean> = {
      '>': (value) => value > Number(wanted),
      '>=': (value) => value >= Number(wanted),
      '<': (value) => value < Number(wanted),
      '<=': (value) => value <= Number(wanted),
    };
    return (row) => typeof row[field] === 'number' && compare[operator]!(row[field]);
  }
  function geo(name: string): Predicate {
    const numbers: number[] = [];
    for (let depth = 0; ; ) {
      const token = next();
      if (token === '(' || token === '[') depth += 1;
      else if (token === ')' || token === ']') depth -= 1;
      else if (token !== ',') numbers.push(Number(token));
      if (depth === 0) break;
    }
    return (row) => {
      const point = row['_geo'] as { lat: number; lng: number } | undefined;
      if (!point) return false;
      if (name === '_geoRadius') return distance(point, { lat: numbers[0]!, lng: numbers[1]! }) <= numbers[2]!;
      const [top, right, bottom, left] = numbers as [number, number, number, number];
      return point.lat <= top && point.lat >= bottom && point.lng <= right && point.lng >= left;
    };
  }
  const read = either();
  if (at !== tokens.length) throw new Error(`More than a filter: ${text.slice(0, 80)}`);
  return read;
}

function literal(token: string): unknown {
  return token.startsWith('"') ? folded(token.slice(1, -1).replace(/\\(.)/g, '$1')) : Number(token);
}

/** Like the real server, filters ignore case and accents. */
function folded(value: unknown): unknown {
  return typeof value === 'string'
    ? value
        .normalize('NFKD')
        .replace(/\p{Mn}/gu, '')
        .toLowerCase()
    : value;
}

export function valuesOf(value: unknown): unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value];
}

export function distance(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const h =
    Math.sin(radians(b.lat - a.lat) / 2) ** 2 +
    Math.cos(radians(a.lat)) * Math.cos(radians(b.lat)) * Math.sin(radians(b.lng - a.lng) / 2) ** 2;
  return 12_742_000 * Math.asin(Math.sqrt(h));
}
