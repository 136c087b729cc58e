// Whether a page is alive, and whether there is anything on it to see.

import type { WebContents } from "electron";
import { isPlain } from "./glass-picture.ts";
import { pictureOf } from "./view-picture.ts";

const pulseEveryMs = 2000;
/** A living page answers within milliseconds; a busy one on a slow machine may take seconds. */
const pulseDeadlineMs = 5000;
/** Whoever looks at a page that hangs looks at something else by then. */
const blankWithinMs = 5000;

/** Calls back once when the page no longer answers; the answer calls the watch off. */
export function feelPulse(
  contents: WebContents,
  onDead: () => void,
): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const beat = async (): Promise<void> => {
    if (contents.isDestroyed() || deadline) return;
    // A page that goes elsewhere takes the question with it; the next beat asks the new one.
    const calm = (): void => {
      clearTimeout(deadline);
      deadline = undefined;
    };
    deadline = setTimeout(() => {
      stop();
      onDead();
    }, pulseDeadlineMs);
    contents.once("did-navigate", calm);
    await ask(contents, "1").catch(() => undefined);
    contents.off("did-navigate", calm);
    calm();
  };
  const timer = setInterval(() => {
    // What ends while it is asked has no pulse to feel.
    beat().catch(stop);
  }, pulseEveryMs);
  const stop = (): void => {
    clearInterval(timer);
    clearTimeout(deadline);
  };
  return stop;
}

/** Asked of the frame: the contents themselves answer only once loading has ended, and there are pages that load for ever. */
async function ask(contents: WebContents, code: string): Promise<unknown> {
  return contents.mainFrame.executeJavaScript(code);
}

/** Nothing to see: no colour of the page's own, no text, no picture, and only one colour in its pixels (V2-177, V2-661). */
export async function isBlank(contents: WebContents): Promise<boolean> {
  const isBare = await ask(contents, lookForAnything).catch(() => false);
  if (isBare !== true || contents.isDestroyed()) return false;
  // What draws may stand still: nothing is known of the page then.
  const picture = await pictureOf(contents).catch(() => null);
  return (
    picture !== null &&
    !picture.isEmpty() &&
    isPlain(picture.resize({ width: 64, height: 36 }).toBitmap())
  );
}

/** The same of a page that was ready before; what does not answer is not known to be blank. */
export function isFoundBlank(
  contents: WebContents,
  withinMs = blankWithinMs,
): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<false>((resolve) => {
    late = setTimeout(() => resolve(false), withinMs);
  });
  return Promise.race([isBlank(contents), silence]).finally(() =>
    clearTimeout(late),
  );
}

/** True when nothing is found that a person could see. Looks at so many nodes at most: a page of more has something. */
const lookForAnything = `(() => {
  const root = document.documentElement;
  if (!root || root.namespaceURI !== "http://www.w3.org/1999/xhtml") return false;
  const mostNodes = 2000;
  const clear = /^(transparent|rgba\\(.*, 0\\))$/;
  const isPainted = (style) =>
    style.backgroundImage !== "none" || !clear.test(style.backgroundColor);
  const hasRoom = (box) =>
    box.width >= 1 && box.height >= 1 && box.right > 0 && box.bottom > 0 &&
    box.left < innerWidth && box.top < innerHeight;
  // What is not drawn tells its colours all the same; what lies in the top layer is drawn without the rest.
  const isUndrawn = ({ display, opacity }) => display === "none" || opacity === "0";
  const raised = document.querySelector(":modal, :popover-open, :fullscreen");
  if (isUndrawn(getComputedStyle(root))) return !raised || raised === root;
  if (isPainted(getComputedStyle(root))) return false;
  const body = document.body;
  if (!body || getComputedStyle(body).display === "none") return true;
  if (isPainted(getComputedStyle(body))) return false;
  const drawn = /^(img|svg|canvas|video|iframe|frame|frameset|embed|object|input|button|select|textarea|hr|progress|meter|math)$/i;
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let count = 0; walker.nextNode(); count += 1) {
    if (count > mostNodes) return false;
    const node = walker.currentNode;
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (!element || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    if (node.nodeType === Node.TEXT_NODE) {
      if (node.data.trim() === "") continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      if (hasRoom(range.getBoundingClientRect())) return false;
      continue;
    }
    if (!hasRoom(element.getBoundingClientRect())) continue;
    if (drawn.test(element.localName) || element.shadowRoot || element.localName.includes("-")) return false;
    const style = getComputedStyle(element);
    if (isPainted(style) || (style.borderStyle !== "none" && style.borderWidth !== "0px")) return false;
    for (const part of ["::before", "::after"]) {
      const { content } = getComputedStyle(element, part);
      if (content !== "none" && content !== "normal") return false;
    }
  }
  return true;
})()`;
