import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The order of test projects, and of some end-to-end tests by name. */
const order = [/^torture /, /^sweeps /, / .*(?:audit-admin|every-route)/, /^database /, /^plain /];

/**
 * Runs the longest files first and short ones last, so that both workers finish at about the same
 * time.
 */
export class HardFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const found = order.findIndex((one) => one.test(`${project.name} ${moduleId}`));
      return found === -1 ? order.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
