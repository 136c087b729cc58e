// An answer that left before a change is never kept as true, whether somebody waits for it or has gone on meanwhile.

import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { FreshAnswers as Answers } from "../../../renderer/manager/fresh-answers.ts";

let client: Answers;
let answers: ((value: string) => void)[];

beforeEach(async () => {
  vi.stubGlobal("window", {});
  const { FreshAnswers } =
    await import("../../../renderer/manager/fresh-answers.ts");
  const queries = { networkMode: "always", staleTime: Infinity } as const;
  client = new FreshAnswers({ defaultOptions: { queries } });
  answers = [];
});

const queryKey = ["listTrash", {}];

/** Somebody looks at it; answers how they go away. */
function observe(): () => void {
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey, queryFn });
  const stop = observer.subscribe(() => undefined);
  onTestFinished(stop);
  return stop;
}

const seen = () => client.getQueryData(queryKey);
const change = () => void client.invalidateQueries({ queryKey: ["listTrash"] });

it("asks once more for what changed while the first answer was under way", async () => {
  observe();
  change();
  change();
  answers[0]?.("before");
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.("after");
  await expect.poll(seen).toBe("after");
  expect(answers).toHaveLength(2);
});

it("asks once where nothing changed, or where it begins anew by itself", async () => {
  observe();
  answers[0]?.("first");
  await expect.poll(seen).toBe("first");
  change();
  change();
  expect(answers).toHaveLength(3);
  answers[1]?.("before");
  answers[2]?.("after");
  await expect.poll(seen).toBe("after");
  expect(client.isFetching()).toBe(0);
  expect(answers).toHaveLength(3);
});

it("asks who comes back for what changed after they had gone, an answer on its way", async () => {
  const goAway = observe();
  answers[0]?.("first");
  await expect.poll(seen).toBe("first");
  goAway();
  change();
  // Back, and away again before the answer is there.
  observe()();
  change();
  answers[1]?.("before");
  await expect.poll(seen).toBe("before");
  observe();
  expect(answers).toHaveLength(3);
  answers[2]?.("after");
  await expect.poll(seen).toBe("after");
});
