import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Of the suite by project, of the journeys by name. */
const order = [/^torture /, /^sweeps /, / .*(?:audit-admin|every-route)/, /^database /, /^plain /];

/** The longest files first and short ones last, so that no worker waits for the other at the end. */
export class HardFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) => {
      const found = order.findIndex((one) => one.test(`${project.name} ${moduleId}`));
      return found === -1 ? order.length : found;
    };
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
