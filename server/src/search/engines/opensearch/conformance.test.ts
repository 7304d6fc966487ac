import type { Schema } from '@catalog/engine';
import { afterAll, beforeAll, describe } from 'vitest';
import { type OpenSearchCluster, openSearchJars, startOpenSearch } from '../../../../test/opensearch-server.ts';
import { settingsForTests } from '../../../settings/index.ts';
import { conformanceSchema, type EngineUnderTest, engineConformance } from '../conformance.ts';
import { vectorConformance, vectorSchema } from '../vector-conformance.ts';
import { openOpenSearchReader, openOpenSearchWriter } from './index.ts';

/** A server given by its address, or else one that is started from the jars. `npm run test:engines` provides the jars. */
const given = process.env['TEST_OPENSEARCH_URL'];
describe.skipIf(!given && !openSearchJars)('a real OpenSearch server', () => {
  let own: OpenSearchCluster | null = null;
  beforeAll(async () => {
    if (!given) own = await startOpenSearch(openSearchJars!);
  }, 420_000);
  afterAll(() => own?.close());

  async function open(schema: Schema): Promise<EngineUnderTest> {
    const url = given ?? String(own?.urls[0]);
    const index = `Conformance_${process.pid}_${schema.version}`;
    const settings = settingsForTests({ SVC_SEARCH_ENGINE: 'opensearch', SVC_SEARCH_URL: url, SVC_SEARCH_INDEX: index });
    const wipe = async () => void (await fetch(`${url}/${index.toLowerCase()}_shadow_*`, { method: 'DELETE' }));
    // A reader does not know whether its index has vectors.
    const { vector: _, ...withoutVectors } = schema;
    return { reader: openOpenSearchReader(settings, withoutVectors), writer: openOpenSearchWriter(settings, schema), wipe, close: wipe };
  }
  engineConformance(given ? 'given by TEST_OPENSEARCH_URL' : 'started for the test', () => open(conformanceSchema));
  vectorConformance('with vectors of the catalog', () => open(vectorSchema));
  vectorConformance('with 1-bit vectors of the catalog', () =>
    open({ ...vectorSchema, version: 8, vector: { name: 'meaning', dimension: 4, quantise: true } }),
  );
});
