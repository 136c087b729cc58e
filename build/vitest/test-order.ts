// Order of test files: end-to-end tests, which mostly wait, are spread among those that keep a processor busy.

import { statSync } from "node:fs";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** End-to-end and long tests have started by this share of the run, so that none of them runs alone at its end. */
const begunBy = 0.8;

export class TestOrder extends BaseSequencer {
  /** One project after the other; in each the longest files first, by their last duration, else by size. */
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const waiting = sorted.filter(isWaiting);
    const busy = sorted.filter((file) => !isWaiting(file));
    const others = new Set(waiting.map(({ project }) => project));
    const positions = new Map([
      ...positionsOf(
        busy.filter(({ project }) => others.has(project)),
        1,
      ),
      ...positionsOf(waiting, begunBy),
    ]);
    const firstOf = (file: TestSpecification): number =>
      sorted.findIndex(({ project }) => project === file.project);
    return sorted.toSorted(
      (a, b) =>
        firstOf(a) - firstOf(b) ||
        (positions.get(a) ?? 0) - (positions.get(b) ?? 0),
    );
  }
}

const isWaiting = ({ moduleId }: TestSpecification): boolean =>
  /\/test\/(e2e|long)\//.test(moduleId);

/** For each file, the share of all bytes that come before it. */
function positionsOf(
  files: readonly TestSpecification[],
  end: number,
): [TestSpecification, number][] {
  const sizes = files.map(({ moduleId }) => statSync(moduleId).size);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  let before = 0;
  return files.map((file, at) => {
    const position = (before / all) * end;
    before += sizes[at] ?? 0;
    return [file, position];
  });
}
