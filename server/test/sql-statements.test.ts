import { createRequire } from 'node:module';
import path from 'node:path';
import pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import type TypeScript from '../../api-types/node_modules/typescript/lib/typescript.js';
import { databaseForTest } from './database.ts';

// Every raw SQL statement of the server is prepared against the migrated schema, and its declared row type is compared with the columns that
// PostgreSQL describes. Fragments (`${visibility.where('i')}`, `sql.join(…)`) are resolved from the source where that is possible; a condition
// that only exists at run time becomes `true`.
const ts = createRequire(new URL('../../api-types/package.json', import.meta.url))('typescript') as typeof TypeScript;
const root = path.resolve(import.meta.dirname, '../..');

interface Statement {
  place: string;
  /** One text per alternative of its conditional fragments; empty when a fragment could not be resolved. */
  texts: string[];
  row: ReadonlyMap<string, string> | null;
}

type Bindings = ReadonlyMap<TypeScript.Symbol, TypeScript.Expression>;

let checker: TypeScript.TypeChecker;
let statements: Statement[] = [];

beforeAll(() => {
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(root, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} },
  );
  const files = (config?.fileNames ?? []).filter((name) => name.includes('/server/src/') && !/\.(test|fixture)\.ts$/.test(name));
  const program = ts.createProgram(files, { ...config?.options, types: ['node'] });
  checker = program.getTypeChecker();
  statements = files.flatMap((name) => {
    const source = program.getSourceFile(name);
    return source ? statementsIn(source) : [];
  });
}, 180_000);

function isSqlTemplate(node: TypeScript.Node): node is TypeScript.TaggedTemplateExpression {
  return ts.isTaggedTemplateExpression(node) && ts.isIdentifier(node.tag) && node.tag.text === 'sql';
}

function statementsIn(source: TypeScript.SourceFile): Statement[] {
  const found: Statement[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (isSqlTemplate(node)) {
      const texts = [true, false].map((branch) => textOf(node, new Map(), branch, 0));
      const known = [...new Set(texts.filter((text) => text !== null))];
      const head = ts.isNoSubstitutionTemplateLiteral(node.template) ? node.template.text : node.template.head.text;
      const isStatement = known.some((text) => statementStart.test(text)) || statementStart.test(head);
      if (isStatement && !isFragmentUse(node)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ place: `${path.relative(root, source.fileName)}:${line + 1}`, texts: known, row: rowOf(node) });
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

const statementStart = /^\s*(select|insert|update|delete|with|notify|lock|set|truncate|values)\b/i;

/** A template inside another one, or one that a function returns or an object holds, is checked where it is used. */
function isFragmentUse(node: TypeScript.Node): boolean {
  let at: TypeScript.Node = node.parent;
  while (ts.isParenthesizedExpression(at) || ts.isConditionalExpression(at) || ts.isArrayLiteralExpression(at) || ts.isAsExpression(at))
    at = at.parent;
  return ts.isTemplateSpan(at) || ts.isReturnStatement(at) || ts.isPropertyAssignment(at) || (ts.isArrowFunction(at) && at.body === node);
}

let parameters = 0;

/** The text of a template, or null when one of its fragments is unknown. */
function textOf(node: TypeScript.TaggedTemplateExpression, bindings: Bindings, branch: boolean, depth: number): string | null {
  if (depth === 0) parameters = 0;
  if (ts.isNoSubstitutionTemplateLiteral(node.template)) return node.template.text;
  let text = node.template.head.text;
  for (const span of node.template.templateSpans) {
    const part = isFragment(span.expression) ? fragmentText(span.expression, bindings, branch, depth + 1, text) : `$${++parameters}`;
    if (part === null) return null;
    text += part + span.literal.text;
  }
  return text;
}

function isFragment(expression: TypeScript.Expression): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(expression));
  const parts = type.isUnion() ? type.types : [type];
  return parts.some((each) => each.getProperty('toOperationNode') !== undefined);
}

function fragmentText(
  expression: TypeScript.Expression,
  bindings: Bindings,
  branch: boolean,
  depth: number,
  before: string,
): string | null {
  const again = (inner: TypeScript.Expression, more: Bindings = bindings): string | null =>
    fragmentText(inner, more, branch, depth + 1, before);
  if (depth > 12) return null;
  if (isSqlTemplate(expression)) return textOf(expression, bindings, branch, depth);
  if (ts.isParenthesizedExpression(expression) || ts.isAsExpression(expression) || ts.isNonNullExpression(expression))
    return again(expression.expression);
  if (ts.isConditionalExpression(expression)) return again(branch ? expression.whenTrue : expression.whenFalse);
  if (ts.isBinaryExpression(expression)) return again(branch ? expression.left : expression.right);
  if (ts.isIdentifier(expression)) {
    const symbol = checker.getSymbolAtLocation(expression);
    const bound = symbol && bindings.get(symbol);
    if (bound) return again(bound);
    const declared = declarationOf(symbol);
    if (declared && ts.isVariableDeclaration(declared) && declared.initializer) return again(declared.initializer);
    return condition(before);
  }
  if (ts.isCallExpression(expression)) return callText(expression, bindings, branch, depth, before);
  return condition(before);
}

function declarationOf(symbol: TypeScript.Symbol | undefined): TypeScript.Declaration | undefined {
  if (!symbol) return undefined;
  const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  return target.valueDeclaration;
}

/** An unknown fragment where a condition belongs is taken as `true`. */
const condition = (before: string): string | null =>
  /\b(where|and|or|on|not|when|filter \(where)\s*\(?$/i.test(before.trimEnd()) ? 'true' : null;

function callText(call: TypeScript.CallExpression, bindings: Bindings, branch: boolean, depth: number, before: string): string | null {
  const [first, second] = call.arguments;
  if (ts.isPropertyAccessExpression(call.expression) && call.expression.expression.getText() === 'sql') {
    const name = call.expression.name.text;
    if (name === 'join') {
      const separator = second ? fragmentText(second, bindings, branch, depth + 1, '') : ', ';
      if (!first || !ts.isArrayLiteralExpression(first)) return condition(before);
      const parts = first.elements.flatMap((each) =>
        ts.isSpreadElement(each) ? [] : [fragmentText(each, bindings, branch, depth + 1, before)],
      );
      return separator === null || parts.includes(null) || parts.length === 0 ? condition(before) : parts.join(separator);
    }
    const literal = first && literalText(first, bindings);
    if (literal === null || literal === undefined) return condition(before);
    if (name === 'lit') return `'${literal}'`;
    return name === 'raw'
      ? literal
      : literal
          .split('.')
          .map((each) => `"${each}"`)
          .join('.');
  }
  const declared = declarationOf(checker.getSymbolAtLocation(call.expression));
  const callee = declared && ts.isVariableDeclaration(declared) ? declared.initializer : declared;
  if (!callee || !(ts.isArrowFunction(callee) || ts.isFunctionDeclaration(callee) || ts.isFunctionExpression(callee)))
    return condition(before);
  const inner = new Map(bindings);
  callee.parameters.forEach((parameter, at) => {
    const symbol = checker.getSymbolAtLocation(parameter.name);
    const argument = call.arguments[at];
    if (symbol && argument) inner.set(symbol, argument);
  });
  const body = callee.body;
  if (!body) return condition(before);
  if (!ts.isBlock(body)) return fragmentText(body, inner, branch, depth + 1, before);
  const returns = body.statements.filter(ts.isReturnStatement).flatMap(({ expression }) => (expression ? [expression] : []));
  const last = returns.at(-1);
  return last ? fragmentText(last, inner, branch, depth + 1, before) : condition(before);
}

/** A string known from the source: a literal, a constant, or the first member of a union of literals. */
function literalText(expression: TypeScript.Expression, bindings: Bindings): string | null {
  if (ts.isStringLiteralLike(expression)) return expression.text;
  const symbol = ts.isIdentifier(expression) ? checker.getSymbolAtLocation(expression) : undefined;
  const bound = symbol && bindings.get(symbol);
  if (bound) return literalText(bound, bindings);
  if (ts.isTemplateExpression(expression)) {
    const parts = expression.templateSpans.map((span) => ({ value: literalText(span.expression, bindings), after: span.literal.text }));
    return parts.some(({ value }) => value === null)
      ? null
      : expression.head.text + parts.map(({ value, after }) => value + after).join('');
  }
  const declared = declarationOf(symbol);
  if (declared && ts.isVariableDeclaration(declared) && declared.initializer) return literalText(declared.initializer, bindings);
  const type = checker.getTypeAtLocation(expression);
  const member = type.isUnion() ? type.types.find((each) => each.isStringLiteral()) : type;
  return member?.isStringLiteral() ? member.value : null;
}

/** Declared columns with the kind of value each has, or null when no row type is declared. */
function rowOf({ typeArguments }: TypeScript.TaggedTemplateExpression): Statement['row'] {
  const declared = typeArguments?.[0];
  if (!declared) return null;
  const properties = checker.getTypeFromTypeNode(declared).getProperties();
  return properties.length === 0 ? null : new Map(properties.map((each) => [each.name, kindOf(checker.getTypeOfSymbol(each))]));
}

function kindOf(declared: TypeScript.Type): string {
  const type = checker.getNonNullableType(declared);
  const parts = type.isUnion() ? type.types : [type];
  const kinds = new Set(
    parts.map((each) => {
      if (each.flags & ts.TypeFlags.StringLike) return 'string';
      if (each.flags & ts.TypeFlags.NumberLike) return 'number';
      if (each.flags & ts.TypeFlags.BooleanLike) return 'boolean';
      if (checker.isArrayLikeType(each)) return 'array';
      return each.symbol?.name === 'Date' ? 'date' : 'any';
    }),
  );
  return kinds.size === 1 ? ([...kinds][0] ?? 'any') : 'any';
}

const kindsByType: Record<string, string> = {
  ...Object.fromEntries(['int2', 'int4', 'int8', 'float4', 'float8', 'oid'].map((name) => [name, 'number'])),
  ...Object.fromEntries(
    ['text', 'varchar', 'uuid', 'name', 'char', 'ltree', 'numeric', 'unknown', 'regclass'].map((name) => [name, 'string']),
  ),
  ...Object.fromEntries(['timestamptz', 'timestamp', 'date'].map((name) => [name, 'date'])),
  bool: 'boolean',
};

interface Described {
  error: Error | null;
  columns: Map<string, string>;
}

/** Parses a statement on the server and reads the description of its result, without running it. */
function describeStatement(client: pg.Client, text: string, typeNames: ReadonlyMap<number, string>): Promise<Described> {
  return new Promise((resolve) => {
    const described: Described = { error: null, columns: new Map() };
    const nothing = (): void => {};
    client.query({
      submit(connection: { parse(query: object, more: boolean): void; describe(query: object, more: boolean): void; sync(): void }) {
        connection.parse({ text, name: '' }, true);
        connection.describe({ type: 'S', name: '' }, true);
        connection.sync();
        return null;
      },
      handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }) {
        for (const { name, dataTypeID } of fields) {
          const type = typeNames.get(dataTypeID) ?? '';
          described.columns.set(name, type.startsWith('_') ? 'array' : (kindsByType[type] ?? 'any'));
        }
      },
      // After an error the client drops the query and waits for the server by itself.
      handleError: (error: Error) => resolve({ ...described, error }),
      handleReadyForQuery: () => resolve(described),
      handleDataRow: nothing,
      handleParseComplete: nothing,
      handlePortalSuspended: nothing,
      handleCommandComplete: nothing,
      handleEmptyQuery: nothing,
    } as unknown as pg.Submittable);
  });
}

test('every raw statement is valid on the migrated schema, and its declared row is what PostgreSQL returns', async () => {
  const { address, pool } = await databaseForTest();
  const client = new pg.Client(address);
  await client.connect();
  const { rows } = await pool.query<{ oid: number; typname: string }>('select oid, typname from pg_type');
  const typeNames = new Map(rows.map(({ oid, typname }) => [oid, typname]));
  const wrong: string[] = [];
  for (const { place, texts, row } of statements) {
    for (const text of texts) {
      const { error, columns } = await describeStatement(client, text, typeNames);
      if (error) wrong.push(`${place}: ${error.message}`);
      else if (row) wrong.push(...differences(row, columns).map((each) => `${place}: ${each}`));
    }
  }
  await client.end();
  expect(wrong).toEqual([]);
}, 120_000);

function differences(declared: ReadonlyMap<string, string>, described: ReadonlyMap<string, string>): string[] {
  const missing = [...declared.keys()].filter((name) => !described.has(name)).map((name) => `"${name}" is declared but not returned`);
  const kinds = [...declared].flatMap(([name, kind]) => {
    const actual = described.get(name);
    return actual === undefined || kind === 'any' || actual === 'any' || kind === actual
      ? []
      : [`"${name}" is declared as ${kind} but is ${actual}`];
  });
  return [...missing, ...kinds];
}

test('nearly every statement can be read from the source', () => {
  const unread = statements.filter(({ texts }) => texts.length === 0).map(({ place }) => place);
  expect(statements.length).toBeGreaterThan(250);
  // Reports page, count and stream the query of a definition; reports.test.ts runs every definition. What a person can read is counted for
  // today or for a past day; person.test.ts in catalog/permissions runs both.
  expect(unread.length, unread.join('\n')).toBeLessThanOrEqual(24);
});
