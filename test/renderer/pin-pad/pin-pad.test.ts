// PIN pad: what it shows when a request to the player fails.

import { expect, it, vi } from "vitest";
import english from "../../../renderer/locales/en.json" with { type: "json" };

const { back, failed, quit } = english.pinPad;

/** As much of an element as the pad uses. */
class FakeElement {
  children: readonly FakeElement[] = [];
  textContent = "";
  lang = "";
  click: () => void = () => undefined;
  setAttribute(): void {}
  append(...added: readonly FakeElement[]): void {
    this.children = [...this.children, ...added];
  }
  replaceChildren(...children: readonly FakeElement[]): void {
    this.children = children;
  }
  addEventListener(_event: "click", listener: () => void): void {
    this.click = listener;
  }
}

function elementsIn(element: FakeElement): readonly FakeElement[] {
  return [element, ...element.children.flatMap(elementsIn)];
}

const reject = (): Promise<never> => Promise.reject(new Error("no handler"));

/** Opens the pad with this connection to the player; returns what it shows. */
async function open(pinPad: {
  state: () => Promise<unknown>;
  request: () => Promise<unknown>;
}) {
  const body = new FakeElement();
  vi.resetModules();
  vi.stubGlobal("window", { pinPad, localStorage: { getItem: () => null } });
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("document", {
    ...{ body, documentElement: new FakeElement() },
    createElement: () => new FakeElement(),
    addEventListener: () => undefined,
  });
  await import("../../../renderer/pin-pad/main.ts");
  const shown = () => elementsIn(body).map(({ textContent }) => textContent);
  const press = (label: string): void =>
    elementsIn(body)
      .find(({ textContent }) => textContent === label)
      ?.click();
  return { shown, press };
}

it("reports a request that failed, so that the person tries again", async () => {
  const state = { needsPin: true, hasManager: true };
  const { shown, press } = await open({
    ...{ state: () => Promise.resolve(state), request: reject },
  });
  await expect.poll(shown).toContain(back);
  press("7");
  press(quit);
  await expect.poll(shown).toContain(failed);
  expect(shown()).not.toContain("•");
});

it("offers the way back to playback where its state cannot be read", async () => {
  const { shown } = await open({ state: reject, request: reject });
  await expect.poll(shown).toContain(back);
  expect(shown()).toContain(failed);
});
