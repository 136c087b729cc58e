// The house card: who this player is and where it answers, while nothing else is due.

import { encode } from "uqr";
import type { HouseCard } from "../../server/contract/ipc.ts";

export interface Card {
  readonly element: HTMLElement;
  /** Resolves when its letters are there. */
  fill(card: HouseCard): Promise<void>;
  /** Keeps the time while it is on the glass. */
  start(): void;
  rest(): void;
}

/** Without its font the card still reads well: longer than this nobody waits for letters. */
const fontWaitMs = 1000;
const minuteMs = 60_000;

const time = new Intl.DateTimeFormat(undefined, {
  hour: "numeric",
  minute: "2-digit",
});
const date = new Intl.DateTimeFormat(undefined, {
  weekday: "long",
  day: "numeric",
  month: "long",
});

export function createCard(): Card {
  const element = document.createElement("section");
  element.className = "card";
  const drift = add(element, "div", "drift");
  const brand = add(drift, "p", "brand");
  brand.append(drawMark(), "Vitrine");
  const clock = add(drift, "div", "clock");
  const timeText = add(clock, "p", "time");
  const dateText = add(clock, "p", "date");
  const identity = add(drift, "div", "identity");
  const name = add(identity, "h1", "name");
  add(identity, "p", "label").textContent = "This player answers at";
  const address = add(identity, "p", "address");
  const code = add(drift, "div", "code");
  let timer: ReturnType<typeof setTimeout> | undefined;

  function tick(): void {
    const now = new Date();
    timeText.textContent = time.format(now);
    dateText.textContent = date.format(now);
    move(drift, Math.floor(now.getTime() / minuteMs));
  }

  function keepTime(): void {
    tick();
    // A breath past the full minute, as timers may come early.
    timer = setTimeout(keepTime, minuteMs - (Date.now() % minuteMs) + 20);
  }

  return {
    element,
    fill: async (card) => {
      name.textContent = card.playerName;
      address.textContent = card.apiAddress;
      name.style.setProperty("--letters", String(longestWord(card.playerName)));
      address.style.setProperty("--letters", String(card.apiAddress.length));
      code.replaceChildren(drawCode(card.apiAddress));
      tick();
      await Promise.race([
        document.fonts.ready,
        new Promise((resolve) => setTimeout(resolve, fontWaitMs)),
      ]);
    },
    start: keepTime,
    rest: () => clearTimeout(timer),
  };
}

/** A slow walk around the middle, one small step a minute: nothing burns in. */
function move(element: HTMLElement, minute: number): void {
  const x = Math.sin(minute / 5);
  const y = Math.sin(minute / 7);
  element.style.setProperty("--x", x.toFixed(3));
  element.style.setProperty("--y", y.toFixed(3));
}

function longestWord(text: string): number {
  return Math.max(1, ...text.split(/\s+/).map((word) => word.length));
}

function add<K extends "div" | "p" | "h1">(
  parent: HTMLElement,
  tag: K,
  className: string,
): HTMLElementTagNameMap[K] {
  const child = document.createElement(tag);
  child.className = className;
  parent.append(child);
  return child;
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

/** A pane on its stand. */
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
