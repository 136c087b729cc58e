// A response requested before a change is never cached as current, whether a component still uses it or not.

import { QueryObserver } from "@tanstack/react-query";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { FreshAnswers as Answers } from "../../../../renderer/manager/api/fresh-query-client.ts";

let client: Answers;
let answers: ((value: string) => void)[];

beforeEach(async () => {
  vi.stubGlobal("window", {});
  const { FreshAnswers } =
    await import("../../../../renderer/manager/api/fresh-query-client.ts");
  const queries = { networkMode: "always", staleTime: Infinity } as const;
  client = new FreshAnswers({ defaultOptions: { queries } });
  answers = [];
});

const queryKey = ["listTrash", {}];

/** Mounts an observer; returns a function that unmounts it. */
function observe(): () => void {
  const queryFn = () => new Promise<string>((resolve) => answers.push(resolve));
  const observer = new QueryObserver(client, { queryKey, queryFn });
  const stop = observer.subscribe(() => undefined);
  onTestFinished(stop);
  return stop;
}

const seen = () => client.getQueryData(queryKey);
const change = () => void client.invalidateQueries({ queryKey: ["listTrash"] });

it("refetches data that changed while the first response was pending", async () => {
  observe();
  change();
  change();
  answers[0]?.("before");
  await expect.poll(() => answers).toHaveLength(2);
  answers[1]?.("after");
  await expect.poll(seen).toBe("after");
  expect(answers).toHaveLength(2);
});

it("fetches once where nothing changed, or where the query restarts by itself", async () => {
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

it("refetches for an observer that returns after a change during its absence, with a response pending", async () => {
  const goAway = observe();
  answers[0]?.("first");
  await expect.poll(seen).toBe("first");
  goAway();
  change();
  // Mounted and unmounted again before the response arrives.
  observe()();
  change();
  answers[1]?.("before");
  await expect.poll(seen).toBe("before");
  observe();
  expect(answers).toHaveLength(3);
  answers[2]?.("after");
  await expect.poll(seen).toBe("after");
});
