import { afterAll, describe, expect, it } from 'vitest';
import { makeProject } from '../../../test/samples/project.ts';
import { openSampleFolder } from '../../../test/samples/source.ts';
import { legacyOffice } from './legacy-office.ts';

const samples = openSampleFolder();
afterAll(samples.remove);
const notes = Buffer.from("{\\rtf1\\ansi\\ansicpg1251 \\'ef\\'f0\\'e8\\'f7\\'e0\\'eb and pier}");
const read = (bytes: Buffer) => legacyOffice.read(samples.source('plan.mpp', bytes));

describe('Microsoft Project', () => {
  it.each([
    [9, { name: 11, notes: 144, text: 90 }, { name: 1, group: 4, notes: 124 }, 6],
    [12, { name: 14, notes: 15, text: 317 }, { name: 1, group: 3, notes: 20 }, 71],
    [14, { name: 14, notes: 15, text: 336 }, { name: 1, group: 3, notes: 20 }, 71],
  ] as const)('names, notes and text fields of tasks and resources are text (version %i)', async (version, task, resource, assignment) => {
    const bytes = makeProject(version, {
      tasks: [
        { id: 1, fields: { [task.name]: 'Dredge the basin', [task.notes]: notes } },
        { id: 70_000, fields: { [task.text]: 'tide table', [task.name]: 'Drive piles', 250: Buffer.alloc(8, 65) } },
      ],
      resources: [{ id: 1, fields: { [resource.name]: 'Żuraw', [resource.group]: 'Cranes', [resource.notes]: Buffer.from('on hire') } }],
      assignments: [{ id: 1, fields: { [assignment]: Buffer.from('{\\rtf1 half a day}') } }],
    });
    const { title, bodyText } = await read(bytes);
    expect(title).toBe('Harbour works');
    expect(bodyText).toBe('Dredge the basin\nпричал and pier\nDrive piles\ntide table\nŻuraw\nCranes\non hire\nhalf a day');
  });

  it('a password for reading makes the file encrypted, one for writing does not', async () => {
    const content = { tasks: [{ id: 1, fields: { 14: 'Dredge the basin' } }] };
    expect(await read(makeProject(14, content, { password: 1 }))).toMatchObject({ metadata: { encrypted: true } });
    expect((await read(makeProject(14, content, { password: 3 }))).bodyText).toBeUndefined();
    const written = await read(makeProject(14, content, { password: 2 }));
    expect(written.metadata['encrypted']).toBeUndefined();
    expect(written.bodyText).toBe('Dredge the basin');
  });

  it.each([0, 2])(
    'a later program that writes for Project 2000 states the keys of fields in a map (password flag %i)',
    async (password) => {
      const content = { tasks: [{ id: 1, fields: { 3: 'Dredge the basin', 200: Buffer.from('at low tide'), 11: Buffer.alloc(4, 1) } }] };
      const taskKeys = { 14: 3, 15: 200, 51: 9 };
      expect((await read(makeProject(9, content, { password, taskKeys }))).bodyText).toBe('Dredge the basin\nat low tide');
    },
  );

  it('a value that many fields share counts a few times only', async () => {
    const bytes = makeProject(14, { tasks: [{ id: 1, fields: { 14: 'x'.repeat(300_000) } }] });
    const shared = makeProject(
      14,
      { tasks: Array.from({ length: 2000 }, (_, id) => ({ id, fields: { 14: 'x'.repeat(300_000) } })) },
      { shared: true },
    );
    const { bodyText, bodyTextTruncated } = await read(shared);
    expect(shared.length).toBeLessThan(bytes.length + 50_000);
    expect(bodyTextTruncated).toBe(true);
    expect(bodyText?.length).toBeLessThan(2_000_000);
  });
});
