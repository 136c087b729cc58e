// Measurements inside the manager's page: how long frames take while something is done, and how long a search takes.

export interface FrameOptions {
  readonly work: "nothing" | "scroll" | "move";
  readonly ms: number;
}

/** Runs in the page: the time from each frame to the next. */
export async function frames(
  options: FrameOptions,
): Promise<readonly number[]> {
  const list = document.querySelector(".card-list");
  const times: number[] = [];
  let last = performance.now();
  const end = last + options.ms;
  let count = 0;
  while (last < end) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    const now = performance.now();
    times.push(now - last);
    last = now;
    count += 1;
    // As fast as somebody turns a wheel while looking for something.
    if (options.work === "scroll" && list)
      list.scrollTop += count % 400 < 200 ? 160 : -120;
    // As fast as a key repeats.
    if (options.work === "move" && count % 4 === 0)
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", {
          ...{ key: "ArrowDown", altKey: true, bubbles: true },
        }),
      );
  }
  return times.slice(1);
}

/** Runs in the page: from each typed letter that narrows the results to the frame in which their cards are visible. */
export async function searches({
  searchTerms,
  fieldPlace,
}: {
  readonly searchTerms: readonly string[];
  /** A selector. */
  readonly fieldPlace: string;
}): Promise<readonly number[]> {
  const longestFrames = 60;
  const field = document.querySelector<HTMLInputElement>(fieldPlace);
  if (!field) throw new Error("There is no field to search in.");
  const prototype = Object.getOwnPropertyDescriptor(
    HTMLInputElement.prototype,
    "value",
  );
  const type = (text: string): void => {
    prototype?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const frame = (): Promise<unknown> =>
    new Promise((resolve) => requestAnimationFrame(resolve));
  const shown = (): string =>
    document.querySelector(".page-head > p")?.textContent ?? "";
  const times: number[] = [];
  for (const words of searchTerms)
    for (let length = 1; length <= words.length; length++) {
      const text = words.slice(0, length);
      // A blank at the end finds the same: there is nothing to wait for.
      if (text.endsWith(" ")) continue;
      const before = shown();
      const start = performance.now();
      type(text);
      for (
        let waited = 0;
        shown() === before && waited < longestFrames;
        waited++
      )
        await frame();
      // A letter that narrows nothing shows the same again: there is no change to wait for.
      if (shown() === before) continue;
      await frame();
      times.push(performance.now() - start);
      await frame();
    }
  type("");
  return times;
}

/** Runs in the page: from each click on one of the filters to the frame in which its results are visible. */
export async function filterClicks(
  filterPlaces: readonly string[],
): Promise<readonly number[]> {
  const longestFrames = 60;
  const frame = (): Promise<unknown> =>
    new Promise((resolve) => requestAnimationFrame(resolve));
  const shown = (): string =>
    document.querySelector(".page-head > p")?.textContent ?? "";
  const times: number[] = [];
  for (const place of filterPlaces)
    // On, and off again.
    for (let click = 0; click < 2; click += 1) {
      const filter = document.querySelector<HTMLElement>(place);
      if (!filter) throw new Error(`There is no filter ${place}.`);
      const before = shown();
      const start = performance.now();
      filter.click();
      for (
        let waited = 0;
        shown() === before && waited < longestFrames;
        waited++
      )
        await frame();
      await frame();
      times.push(performance.now() - start);
      await frame();
    }
  return times;
}

export function p95(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? 0;
}
