import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest. They start first, so that none of them runs alone at the end. */
const slow = [
  'e2e/console.test.ts',
  'e2e/pages.test.ts',
  'server/test/visibility-matrix.test.ts',
  'e2e/fleet.test.ts',
  'server/test/processes.test.ts',
  'e2e/languages.test.ts',
  'e2e/failures.test.ts',
  'server/test/agent-reading.test.ts',
  'e2e/journeys.test.ts',
  'e2e/overlays.test.ts',
  'readers/test/hostile/hostile.test.ts',
  'server/test/restore-drill.test.ts',
];
const projects = ['e2e', 'server', 'packages', 'console'];

/** Slow files first, then project by project: a worker loads a program anew when the project changes. */
export class TestOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rank = ({ moduleId, project }: TestSpecification): number => {
      const at = slow.findIndex((path) => moduleId.endsWith(path));
      return at === -1 ? slow.length + projects.indexOf(project.name) : at;
    };
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}
