import { ExtractError, type Extracted, type Extractor } from '../../contract.ts';
import { createBodyText } from '../../body-text.ts';
import { readTextHead } from '../text-head.ts';
import { contentLines } from './content-lines.ts';

const maxContactsBytes = 64 * 1024 * 1024;
const maxNames = 200;

/** Address cards: how many, whose, and the words people search them by. */
export const contacts: Extractor = {
  name: 'contacts',
  version: 1,
  extensions: ['vcf', 'vct'],
  tools: [],
  keys: ['contacts', ...['count', 'names', 'organizations', 'versions', 'truncated'].map((key) => `contacts.${key}`)],
  read: async (source): Promise<Extracted> => {
    const { text, cut } = await readTextHead(source, maxContactsBytes);
    if (!/^\s*BEGIN:VCARD/i.test(text)) throw new ExtractError('corrupt', 'This is not an address card.');
    const body = createBodyText(source.limits.bodyTextMaxChars);
    const names: string[] = [];
    const organizations = new Set<string>();
    const versions = new Set<string>();
    let count = 0;
    for (const line of contentLines(text)) {
      if (line.name === 'BEGIN' && line.value.trim().toUpperCase() === 'VCARD') count++;
      else if (line.name === 'VERSION') versions.add(line.value.trim().slice(0, 10));
      else if (line.name === 'FN' && names.length < maxNames) names.push(line.value.trim().slice(0, 200));
      else if (line.name === 'ORG' && organizations.size < maxNames) organizations.add(line.value.split(';')[0]!.trim().slice(0, 200));
      if (
        ['FN', 'NICKNAME', 'ORG', 'TITLE', 'ROLE', 'EMAIL', 'TEL', 'ADR', 'NOTE', 'URL'].includes(line.name) &&
        line.value.trim() !== ''
      ) {
        body.add(line.value.replace(/;+/g, ' '));
        body.break();
      }
    }
    const facts = {
      count,
      names,
      organizations: [...organizations],
      versions: [...versions].slice(0, 10),
      truncated: cut || count > maxNames,
    };
    return { metadata: { contacts: facts }, ...(count === 1 && names[0] ? { title: names[0] } : {}), ...body.result() };
  },
};
