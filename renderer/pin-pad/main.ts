// PIN pad: entry by touch or keyboard, then on to the manager, to quitting, or back to playback.

import type {
  PinPadBridge,
  PinPadOutcome,
  PinPadState,
  PinPadRequest,
} from "../../server/contract/ipc/ipc-pin-pad.ts";
import { textsFor } from "./texts.ts";

const pinPad = (window as unknown as { readonly pinPad: PinPadBridge }).pinPad;
const texts = textsFor(navigator.language);
const maxDigits = 12;

let pin = "";
/** What Enter does: the first available action. */
let first: "manager" | "end" = "manager";

const message = document.createElement("p");
message.setAttribute("role", "status");
const dots = document.createElement("output");
dots.setAttribute("aria-label", texts.digits);

function draw({ needsPin, hasManager }: PinPadState): void {
  first = hasManager ? "manager" : "end";
  const title = document.createElement("h1");
  title.textContent = needsPin ? texts.enter : texts.whereTo;
  const card = document.createElement("main");
  card.append(title);
  if (needsPin) card.append(dots, keys());
  card.append(message, ways());
  document.body.replaceChildren(card);
}

function keys(): HTMLElement {
  const grid = document.createElement("div");
  grid.className = "keys";
  for (const digit of ["1", "2", "3", "4", "5", "6", "7", "8", "9"])
    grid.append(button(digit, () => add(digit)));
  grid.append(
    button("⌫", () => enter(pin.slice(0, -1)), texts.erase),
    button("0", () => add("0")),
    button("×", () => enter(""), texts.clear),
  );
  return grid;
}

function ways(): HTMLElement {
  const list = document.createElement("div");
  list.className = "ways";
  list.append(
    ...(first === "manager"
      ? [button(texts.manager, () => void go({ to: "manager", pin }))]
      : []),
    button(texts.end, () => void go({ to: "end", pin })),
    button(texts.back, () => void go({ to: "back" })),
  );
  return list;
}

function button(
  label: string,
  press: () => void,
  name = label,
): HTMLButtonElement {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = label;
  made.setAttribute("aria-label", name);
  made.addEventListener("click", press);
  return made;
}

function add(digit: string): void {
  if (pin.length < maxDigits) enter(pin + digit);
}

function enter(value: string): void {
  pin = value;
  dots.textContent = "•".repeat(pin.length);
}

async function go(request: PinPadRequest): Promise<void> {
  const outcome = await pinPad.request(request);
  enter("");
  message.textContent = sentence(outcome);
}

function sentence(outcome: PinPadOutcome | null): string {
  if (outcome === null || outcome.outcome === "done") return "";
  return outcome.outcome === "wrong"
    ? texts.wrong(outcome.triesLeft)
    : texts.locked(outcome.seconds);
}

document.addEventListener("keydown", ({ key }) => {
  if (/^\d$/.test(key)) add(key);
  else if (key === "Backspace") enter(pin.slice(0, -1));
  else if (key === "Escape") void go({ to: "back" });
  else if (
    key === "Enter" &&
    !(document.activeElement instanceof HTMLButtonElement)
  )
    void go({ to: first, pin });
});

document.documentElement.lang = texts.language;
void pinPad.state().then((state) => {
  if (state) draw(state);
});
