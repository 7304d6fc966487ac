import fc from 'fast-check';
import type { TestApp } from './app.ts';
import { type JsonSchema, valueFor } from './schema-values.ts';

/** One operation of the API document. */
export interface Operation {
  method: string;
  url: string;
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema }[];
  body: JsonSchema | null;
}

interface DocumentedOperation {
  parameters?: Operation['parameters'];
  requestBody?: { content: { 'application/json'?: { schema: JsonSchema } } };
}

export async function listOperations(t: Pick<TestApp, 'request'>): Promise<Operation[]> {
  const document = (await t.request('GET', '/api/openapi.json')).json() as { paths: Record<string, Record<string, DocumentedOperation>> };
  return Object.entries(document.paths).flatMap(([url, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      url,
      parameters: operation.parameters ?? [],
      body: operation.requestBody?.content['application/json']?.schema ?? null,
    })),
  );
}

/** One request: path and query parameters by name, and a body. */
export function requestTo(operation: Operation, ids: readonly string[]): fc.Arbitrary<{ url: string; body: unknown }> {
  const id = fc.oneof(fc.constantFrom(...ids), fc.uuid());
  const parameters = operation.parameters.map((parameter) => {
    const isId = parameter.in === 'path' && parameter.schema.format === 'uuid';
    const value = isId
      ? fc.oneof({ weight: 4, arbitrary: id }, { weight: 1, arbitrary: valueFor(parameter.schema) })
      : valueFor(parameter.schema);
    const needed = parameter.required || parameter.in === 'path';
    return (needed ? value : fc.option(value, { nil: undefined })).map((given) => ({ parameter, given }));
  });
  const body = operation.body
    ? fc.oneof({ weight: 5, arbitrary: valueFor(operation.body) }, { weight: 1, arbitrary: fc.jsonValue() })
    : fc.constant(undefined);
  return fc.tuple(fc.tuple(...parameters), body).map(([given, payload]) => ({ url: urlOf(operation.url, given), body: payload }));
}

function urlOf(template: string, given: { parameter: Operation['parameters'][number]; given: unknown }[]): string {
  let url = template;
  const query: string[] = [];
  for (const { parameter, given: value } of given) {
    const texts = (Array.isArray(value) ? value : [value]).map((each) =>
      encode(typeof each === 'string' ? each : (JSON.stringify(each) ?? '')),
    );
    if (parameter.in === 'path') url = url.replace(`{${parameter.name}}`, texts[0] || '%20');
    else if (parameter.in === 'query' && value !== undefined) query.push(...texts.map((text) => `${parameter.name}=${text}`));
  }
  return query.length > 0 ? `${url}?${query.join('&')}` : url;
}

/** encodeURIComponent refuses halves of surrogate pairs. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());
