// Idle screen: the player's name and address, shown while nothing is scheduled.

import { encode } from "uqr";
import {
  createIdleScreenClock,
  type IdleScreenClock,
} from "./idle-screen-clock.ts";
import { idleScreenTexts } from "./idle-screen-texts.ts";
import { drift, everyMinute, lettersReady } from "./burn-in-protection.ts";
import { add, type Medium } from "./medium.ts";

export function createIdleScreen(): Medium<"card"> {
  const texts = idleScreenTexts(navigator.language);
  const element = document.createElement("section");
  element.className = "card";
  const moving = add(element, "div", "drift");
  const brand = add(moving, "p", "brand");
  brand.append(drawMark(), "Vitrine");
  const clock = add(moving, "div", "clock");
  const timeText = add(clock, "p", "time");
  const dateText = add(clock, "p", "date");
  const identity = add(moving, "div", "identity");
  const name = add(identity, "h1", "name");
  const label = add(identity, "p", "label");
  const address = add(identity, "p", "address");
  const fingerprint = add(identity, "p", "fingerprint");
  const code = add(moving, "div", "code");
  let stopClock = (): void => undefined;
  let idleScreenClock: IdleScreenClock | null = null;

  function tick(moment: number): void {
    timeText.textContent = idleScreenClock?.timeAt(moment) ?? "";
    dateText.textContent = idleScreenClock?.dateAt(moment) ?? "";
    drift(moving, moment);
  }

  function rest(): void {
    stopClock();
  }

  return {
    element,
    load: async ({ idleScreen }) => {
      name.textContent = idleScreen.playerName;
      const { pairing } = idleScreen;
      // The PIN is typed by a person in front of the screen, who needs no address of this player.
      label.textContent = pairing
        ? texts.pairing(pairing.at)
        : idleScreen.isForPhones
          ? texts.phone
          : texts.address;
      address.textContent = pairing?.pin ?? idleScreen.apiAddress;
      name.style.setProperty(
        "--letters",
        String(longestWord(idleScreen.playerName)),
      );
      address.style.setProperty(
        "--letters",
        String(address.textContent.length),
      );
      fingerprint.replaceChildren(
        ...(idleScreen.fingerprint === null
          ? []
          : [texts.fingerprint, ...linesOf(idleScreen.fingerprint)]),
      );
      const { codeAddress } = idleScreen;
      code.replaceChildren(...(codeAddress ? [drawCode(codeAddress)] : []));
      for (const part of [label, address])
        part.hidden = !pairing && !idleScreen.isAddressShown;
      fingerprint.hidden =
        !!pairing ||
        !idleScreen.isAddressShown ||
        idleScreen.fingerprint === null;
      code.hidden = !!pairing || !idleScreen.isAddressShown || !codeAddress;
      idleScreenClock = createIdleScreenClock(idleScreen);
      tick(Date.now());
      await lettersReady();
    },
    start: () => (stopClock = everyMinute(tick)),
    fadeOut: () => undefined,
    rest,
    release: rest,
  };
}

/** In lines of eight bytes, which a person can compare with those of a browser. */
function linesOf(fingerprint: string): readonly HTMLElement[] {
  const bytes = fingerprint.split(":");
  const lines = Math.ceil(bytes.length / bytesInLine);
  return Array.from({ length: lines }, (_, at) => {
    const line = document.createElement("span");
    const first = at * bytesInLine;
    line.textContent = bytes.slice(first, first + bytesInLine).join(" ");
    return line;
  });
}

const bytesInLine = 8;

function longestWord(text: string): number {
  return Math.max(1, ...text.split(/\s+/).map((word) => word.length));
}

function drawCode(text: string): SVGElement {
  const { data, size } = encode(text, { ecc: "M", border: 0 });
  const path = data
    .flatMap((row, y) =>
      row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
    )
    .join("");
  return draw(`0 0 ${size} ${size}`, path);
}

/** A screen on its stand. */
function drawMark(): SVGElement {
  return draw("0 0 24 24", "M3 3h18v14H3zM5 5v10h14V5zM8 19h8v2H8z");
}

function draw(viewBox: string, path: string): SVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", viewBox);
  svg.setAttribute("shape-rendering", "crispEdges");
  const shape = document.createElementNS("http://www.w3.org/2000/svg", "path");
  shape.setAttribute("d", path);
  shape.setAttribute("fill-rule", "evenodd");
  svg.append(shape);
  return svg;
}
