import { BaseSequencer, type TestSpecification } from 'vitest/node';

const order = ['torture', 'database', 'plain'];

/** Long files that wait more than they compute first, short ones last: so no worker waits for the other at the end. */
export class HardFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project }: TestSpecification) => order.indexOf(project.name);
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}
