import { describe } from 'vitest';
import { openSearchJars, startOpenSearch } from '../../../../test/opensearch-server.ts';
import { settingsForTests } from '../../../settings/index.ts';
import { conformanceSchema, engineConformance } from '../conformance.ts';
import { openOpenSearchReader, openOpenSearchWriter } from './index.ts';

/** A server given by its address, or else one that is started from the jars. `npm run test:engines` provides the jars. */
const given = process.env['TEST_OPENSEARCH_URL'];
describe.skipIf(!given && !openSearchJars)('a real OpenSearch server', () => {
  engineConformance(given ? 'given by TEST_OPENSEARCH_URL' : 'started for the test', async () => {
    const own = given ? null : await startOpenSearch(openSearchJars!);
    const url = given ?? String(own?.urls[0]);
    const index = `Conformance_${process.pid}`;
    const settings = settingsForTests({ SVC_SEARCH_ENGINE: 'opensearch', SVC_SEARCH_URL: url, SVC_SEARCH_INDEX: index });
    const wipe = async () => void (await fetch(`${url}/${index.toLowerCase()}_shadow_*`, { method: 'DELETE' }));
    return {
      reader: openOpenSearchReader(settings, conformanceSchema),
      writer: openOpenSearchWriter(settings, conformanceSchema),
      wipe,
      close: own ? own.close : wipe,
    };
  });
});
