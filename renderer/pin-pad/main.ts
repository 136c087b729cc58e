// PIN pad: entry by touch or keyboard, then on to the manager, to quitting, or back to playback.

import type {
  PinPadBridge,
  PinPadOutcome,
  PinPadState,
  PinPadRequest,
} from "../../server/contract/ipc/ipc-pin-pad.ts";
import { language } from "../locales/language.ts";
import { t } from "../locales/messages.ts";

const pinPad = (window as unknown as { readonly pinPad: PinPadBridge }).pinPad;
const maxDigits = 12;

let pin = "";
/** What Enter does: the first available action. */
let first: "manager" | "end" = "manager";

const message = document.createElement("p");
message.setAttribute("role", "status");
const dots = document.createElement("output");
dots.setAttribute("aria-label", t("pinPad.digits"));

function draw({ needsPin, hasManager }: PinPadState): void {
  first = hasManager ? "manager" : "end";
  const title = document.createElement("h1");
  title.textContent = needsPin
    ? t("pinPad.enterPin")
    : t("pinPad.chooseAction");
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
    button("⌫", () => enter(pin.slice(0, -1)), t("pinPad.deleteLast")),
    button("0", () => add("0")),
    button("×", () => enter(""), t("pinPad.clear")),
  );
  return grid;
}

function ways(): HTMLElement {
  const list = document.createElement("div");
  list.className = "ways";
  list.append(
    ...(first === "manager"
      ? [button(t("pinPad.openManager"), () => go({ to: "manager", pin }))]
      : []),
    button(t("pinPad.quit"), () => go({ to: "end", pin })),
    button(t("pinPad.back"), () => go({ to: "back" })),
  );
  return list;
}

function button(
  label: string,
  press: () => void,
  name = label,
): HTMLButtonElement {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = label;
  button.setAttribute("aria-label", name);
  button.addEventListener("click", press);
  return button;
}

function add(digit: string): void {
  if (pin.length < maxDigits) enter(pin + digit);
}

function enter(value: string): void {
  pin = value;
  dots.textContent = "•".repeat(pin.length);
}

function go(request: PinPadRequest): void {
  const finish = (sentence: string): void => {
    enter("");
    message.textContent = sentence;
  };
  pinPad.request(request).then(
    (outcome) => finish(sentenceFor(outcome)),
    () => finish(t("pinPad.failed")),
  );
}

function sentenceFor(outcome: PinPadOutcome | null): string {
  if (outcome === null || outcome.outcome === "done") return "";
  return outcome.outcome === "wrong"
    ? t("pinPad.wrongPin", { triesLeft: outcome.triesLeft })
    : t("pinPad.locked", { seconds: outcome.seconds });
}

document.addEventListener("keydown", ({ key }) => {
  if (/^\d$/.test(key)) add(key);
  else if (key === "Backspace") enter(pin.slice(0, -1));
  else if (key === "Escape") go({ to: "back" });
  else if (
    key === "Enter" &&
    !(document.activeElement instanceof HTMLButtonElement)
  )
    go({ to: first, pin });
});

document.documentElement.lang = language;
pinPad.state().then(
  (state) => {
    if (state) draw(state);
  },
  // Without the state, a way back to playback: an empty pad would only cover the screen.
  () => {
    draw({ needsPin: true, hasManager: false });
    message.textContent = t("pinPad.failed");
  },
);
