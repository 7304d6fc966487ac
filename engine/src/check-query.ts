import { EngineError } from './errors.ts';
import { schemaFields } from './schema.ts';
import type { Filter, Query, Schema } from './types.ts';

/** Limits of a query; beyond them it is refused with `bad_query`. */
const maxTextLength = 100_000;
const maxFilterDepth = 64;
const maxFilterParts = 20_000;
const maxHits = 10_000;
const maxSortKeys = 8;
const maxFacetValues = 100_000;

function refuse(message: string): never {
  throw new EngineError('bad_query', message);
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isCount = (value: unknown, most: number) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= most;

/** Checks the shape of a query before it is sent to a search thread, which checks it against the schema. */
export function checkQueryShape(query: Query): void {
  if (!isObject(query)) refuse('A query must be an object.');
  const { text, prefix, matching, offset, limit, after, deadlineMs } = query;
  if (text !== undefined && typeof text !== 'string') refuse('The text of a query must be a string.');
  if (text !== undefined && text.length > maxTextLength) refuse(`The text of a query may have ${maxTextLength} characters at most.`);
  if (prefix !== undefined && typeof prefix !== 'boolean') refuse('`prefix` must be true or false.');
  if (matching !== undefined && matching !== 'all' && matching !== 'last') refuse('`matching` must be "all" or "last".');
  if (offset !== undefined && !isCount(offset, Number.MAX_SAFE_INTEGER)) refuse('`offset` must be a whole number from 0.');
  if (limit !== undefined && !isCount(limit, maxHits)) refuse(`\`limit\` must be a whole number from 0 to ${maxHits}.`);
  if (after !== undefined && typeof after !== 'string') refuse('`after` must be a cursor from an earlier result.');
  if (deadlineMs !== undefined && !(typeof deadlineMs === 'number' && deadlineMs >= 0)) refuse('`deadlineMs` must be a number from 0.');
  if (query.likeId !== undefined && typeof query.likeId !== 'string') refuse('`likeId` must be an id.');
  for (const name of ['fields', 'sort', 'facets', 'stats', 'sums', 'histograms', 'matches'] as const) {
    if (query[name] !== undefined && !Array.isArray(query[name])) refuse(`\`${name}\` must be a list.`);
  }
  if (query.filter !== undefined) checkFilterShape(query.filter as Filter);
}

/** Checks depth and size first, so that later recursion cannot overflow. */
function checkFilterShape(filter: Filter): void {
  let parts = 0;
  const check = (part: unknown, depth: number): void => {
    if (depth > maxFilterDepth) refuse(`A filter may be nested ${maxFilterDepth} deep at most.`);
    if (++parts > maxFilterParts) refuse(`A filter may have ${maxFilterParts} parts at most.`);
    if (!isObject(part)) refuse('Each part of a filter must be an object.');
    const keys = Object.keys(part);
    if (keys.length !== 1) refuse('Each part of a filter must have exactly one key.');
    if ('not' in part) check(part['not'], depth + 1);
    for (const key of ['and', 'or'] as const) {
      const inner = part[key];
      if (inner === undefined) continue;
      if (!Array.isArray(inner)) refuse(`\`${key}\` must be a list of filters.`);
      for (const each of inner) check(each, depth + 1);
    }
  };
  check(filter, 1);
}

/** Checks a well-formed query against the schema: every field must exist and have the right kind. */
export function checkQuery(schema: Schema, query: Query): void {
  const text = new Set(schema.text.map(({ name }) => name));
  const keyword = new Set(schema.keyword.map(({ name }) => name));
  const number = new Set(schema.number);
  const need = (set: ReadonlySet<string>, name: unknown, kind: string) => {
    if (typeof name !== 'string' || !set.has(name)) refuse(`The index has no ${kind} field "${String(name)}".`);
  };
  for (const name of query.fields ?? []) need(text, name, 'text');
  for (const name of query.matches ?? []) need(text, name, 'text');
  for (const name of query.stats ?? []) need(number, name, 'number');
  for (const name of query.sums ?? []) need(number, name, 'number');
  for (const facet of query.facets ?? []) checkFacet(facet, (name) => need(keyword, name, 'keyword'));
  for (const histogram of query.histograms ?? []) checkHistogram(histogram, (name) => need(number, name, 'number'));
  if (query.tieBreak !== undefined) {
    need(number, query.tieBreak?.field, 'number');
    checkOrder(query.tieBreak.order);
  }
  checkSort(schema, query);
  if (query.filter) checkFilter(schema, query.filter);
  if (query.vector !== undefined) checkVector(schema, query.vector);
  if (query.likeId !== undefined && !schema.vector) refuse('The index has no vectors to compare.');
}

function checkOrder(order: unknown): void {
  if (order !== 'asc' && order !== 'desc') refuse('An order must be "asc" or "desc".');
}

function checkFacet(facet: NonNullable<Query['facets']>[number], need: (name: unknown) => void): void {
  if (typeof facet === 'string') {
    need(facet);
    return;
  }
  if (!isObject(facet)) refuse('A facet must be a field name or an object.');
  need(facet.field);
  if (facet.limit !== undefined && !isCount(facet.limit, maxFacetValues))
    refuse(`A facet's limit must be a whole number from 0 to ${maxFacetValues}.`);
  if (facet.prefix !== undefined && typeof facet.prefix !== 'string') refuse("A facet's prefix must be a string.");
}

function checkHistogram(histogram: NonNullable<Query['histograms']>[number], need: (name: unknown) => void): void {
  if (!isObject(histogram)) refuse('A histogram must be an object.');
  need(histogram.field);
  const { bounds } = histogram;
  const ascending =
    Array.isArray(bounds) &&
    bounds.length <= 10_000 &&
    bounds.every((bound, at) => typeof bound === 'number' && !Number.isNaN(bound) && (bounds[at - 1] ?? Number.NEGATIVE_INFINITY) <= bound);
  if (!ascending) refuse('The bounds of a histogram must be at most 10,000 ascending numbers.');
}

function checkSort(schema: Schema, query: Query): void {
  const keys = query.sort ?? [];
  if (keys.length > maxSortKeys) refuse(`A query may have ${maxSortKeys} sort keys at most.`);
  for (const key of keys) {
    if (!isObject(key)) refuse('A sort key must be an object.');
    checkOrder(key.order);
    if ('geo' in key) {
      if (schema.geo === undefined) refuse('The index has no points to sort by distance.');
      checkPoint(key.geo);
    } else if (!schema.number.includes(key.field) && !schema.sortable.includes(key.field))
      refuse(`The index cannot sort by "${String(key.field)}".`);
  }
}

function checkPoint(point: unknown): void {
  const { lat, lng } = isObject(point) ? point : {};
  const inside = (value: unknown, most: number) => typeof value === 'number' && value >= -most && value <= most;
  if (!inside(lat, 90) || !inside(lng, 180)) refuse('A point needs a lat of -90 to 90 and a lng of -180 to 180.');
}

function checkVector(schema: Schema, vector: NonNullable<Query['vector']>): void {
  if (!schema.vector) refuse('The index has no vectors.');
  const { near, ratio } = vector;
  if (!(near instanceof Float32Array) || near.length !== schema.vector.dimension || !near.every(Number.isFinite))
    refuse(`The vector must be a Float32Array of ${schema.vector.dimension} finite numbers.`);
  if (!near.some((each) => each !== 0)) refuse('The vector must not be all zero.');
  if (!(typeof ratio === 'number' && ratio >= 0 && ratio <= 1)) refuse('The ratio must be a number from 0 to 1.');
}

const kinds = ['and', 'or', 'not', 'eq', 'in', 'range', 'exists', 'geoRadius', 'geoBox', 'scope'];

function checkFilter(schema: Schema, filter: Filter): void {
  const [kind = ''] = Object.keys(filter);
  if (!kinds.includes(kind)) refuse(`There is no filter "${kind}".`);
  if ('and' in filter) for (const part of filter.and) checkFilter(schema, part);
  else if ('or' in filter) for (const part of filter.or) checkFilter(schema, part);
  else if ('not' in filter) checkFilter(schema, filter.not);
  else if ('eq' in filter) checkValues(schema, 'eq', filter.eq, [filter.eq?.[1]]);
  else if ('in' in filter) checkValues(schema, 'in', filter.in, filter.in?.[1]);
  else if ('range' in filter) checkRange(schema, filter.range);
  else if ('exists' in filter) {
    const known = schemaFields(schema).filter(({ kind: own }) => own !== 'text');
    if (!known.some(({ name }) => name === filter.exists)) refuse(`The index cannot tell whether "${String(filter.exists)}" exists.`);
  } else if ('scope' in filter) {
    if (schema.scope === undefined) refuse('The index has no scope field.');
    if (!Array.isArray(filter.scope) || !filter.scope.every((prefix) => typeof prefix === 'string'))
      refuse('`scope` must be a list of paths.');
  } else checkGeo(schema, filter);
}

function checkValues(schema: Schema, kind: string, pair: unknown, values: unknown): void {
  if (!Array.isArray(pair) || pair.length !== 2) refuse(`\`${kind}\` must be a pair of field and value.`);
  if (!Array.isArray(values)) refuse('`in` needs a list of values.');
  const isKeyword = schema.keyword.some(({ name }) => name === pair[0]);
  if (!isKeyword && pair[0] !== 'id' && !schema.number.includes(pair[0] as string))
    refuse(`The index has no keyword or number field "${String(pair[0])}".`);
  for (const value of values) {
    if (typeof value !== 'string' && !(typeof value === 'number' && !Number.isNaN(value)))
      refuse(`A value of "${String(pair[0])}" must be a string or a number.`);
  }
}

function checkRange(schema: Schema, range: unknown): void {
  if (!Array.isArray(range) || range.length !== 2 || !isObject(range[1])) refuse('`range` must be a pair of field and bounds.');
  if (!schema.number.includes(range[0] as string)) refuse(`The index has no number field "${String(range[0])}".`);
  for (const [name, bound] of Object.entries(range[1])) {
    if (!['gte', 'gt', 'lte', 'lt'].includes(name)) refuse(`A range has no bound "${name}".`);
    if (bound !== undefined && (typeof bound !== 'number' || Number.isNaN(bound))) refuse(`The bound "${name}" must be a number.`);
  }
}

function checkGeo(schema: Schema, filter: Extract<Filter, { geoRadius: unknown } | { geoBox: unknown }>): void {
  if (schema.geo === undefined) refuse('The index has no geo field.');
  if ('geoRadius' in filter) {
    checkPoint(filter.geoRadius);
    const { metres } = filter.geoRadius;
    if (!(typeof metres === 'number' && metres >= 0)) refuse('A radius must be a number of metres from 0.');
    return;
  }
  const { top, right, bottom, left } = isObject(filter.geoBox) ? filter.geoBox : ({} as Record<string, number>);
  checkPoint({ lat: top, lng: right });
  checkPoint({ lat: bottom, lng: left });
}
