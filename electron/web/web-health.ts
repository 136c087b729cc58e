// Whether a page responds, and whether there is anything visible on it.

import type { WebContents, WebFrameMain } from "electron";
import { isPlain } from "../screenshots/compare-screenshots.ts";
import { everyAbout } from "../../server/platform/shared-timer.ts";
import { captureView } from "../screenshots/view-screenshot.ts";

const pulseIntervalMs = 2000;
/** A live page answers within milliseconds; a busy one on a slow machine may take seconds. */
const pulseDeadlineMs = 5000;
/** By then a check of a page that hangs has moved on to something else. */
const blankWithinMs = 5000;
/** Of more frames than this, one surely shows something. */
const maxFrames = 20;
/** A frame that takes longer counts as showing something. */
const frameDeadlineMs = 1000;

/** Calls back once when the page no longer responds; the returned function stops the watch. */
export function feelPulse(
  contents: WebContents,
  onDead: () => void,
): () => void {
  let deadline: NodeJS.Timeout | undefined;
  const beat = async (): Promise<void> => {
    if (contents.isDestroyed() || deadline) return;
    // A page that navigates takes the ping with it; the next ping goes to the new page.
    const calm = (): void => {
      clearTimeout(deadline);
      deadline = undefined;
    };
    deadline = setTimeout(() => {
      stop();
      onDead();
    }, pulseDeadlineMs);
    contents.once("did-navigate", calm);
    await evaluate(contents, "1").catch(() => undefined);
    contents.off("did-navigate", calm);
    calm();
  };
  const stopBeating = everyAbout(pulseIntervalMs, () => {
    // A page that ends while it is pinged needs no further pings.
    beat().catch(stop);
  });
  const stop = (): void => {
    stopBeating();
    clearTimeout(deadline);
  };
  return stop;
}

/** Evaluated in the frame: the contents themselves answer only once loading has ended, and some pages never finish loading. */
async function evaluate(contents: WebContents, code: string): Promise<unknown> {
  return contents.mainFrame.executeJavaScript(code);
}

/** Since when a page of one colour has had content of which nothing is visible, and when that was last found. */
const outOfSight = new WeakMap<
  WebContents,
  { readonly sinceMs: number; readonly atMs: number }
>();
/** Between two scenes a page may be of one colour for a while (V2-664). */
const outOfSightMs = 5000;
/** Checks further apart say nothing about what was visible in between. */
const maxApartMs = 3000;

/** The document and the colours of its background, as last found with something visible (V2-668). */
const filled = new WeakMap<WebContents, string>();
/** Contents whose document has already been checked for something visible. */
const noted = new WeakSet<WebContents>();

/**
 * Nothing visible: no colour of the page's own, no text, no image, and only one colour in its pixels (V2-177, V2-661); or only
 * frames that show nothing, or the browser's error page (V2-732).
 */
export async function isBlank(contents: WebContents): Promise<boolean> {
  const inspection = await inspectPage(contents);
  if (!inspection || contents.isDestroyed()) return false;
  const { found, ground } = inspection;
  if (found === "something") {
    filled.set(contents, ground);
    return false;
  }
  if (found === "empty-frames") return true;
  const isBare = found === "nothing";
  const isEmptied = found === "plain" && filled.get(contents) === ground;
  if (!isBare && !isEmptied && found !== "out-of-sight") return false;
  // Drawing may have stalled: nothing is known about the page then.
  const image = await captureView(contents).catch(() => null);
  const isPlainly =
    image !== null &&
    !image.isEmpty() &&
    isPlain(image.resize({ width: 64, height: 36 }).toBitmap());
  return isPlainly && (isBare || isLongOutOfSight(contents));
}

/**
 * Records that more than one colour of it is visible: if all that disappears, the page has become blank. Each document is checked
 * once.
 */
export async function noteFilled(contents: WebContents): Promise<void> {
  if (noted.has(contents)) return;
  noted.add(contents);
  contents.once("did-navigate", () => noted.delete(contents));
  const inspection = await inspectPage(contents);
  if (inspection?.found === "something")
    filled.set(contents, inspection.ground);
}

/** What a document shows by itself. */
type Found = "nothing" | "out-of-sight" | "plain" | Frames | "something";
/** Only frames, or frames on a colour of the document's own. */
type Frames = "frames" | "frames-on-color";

interface PageInspection {
  readonly found: Exclude<Found, Frames> | "empty-frames";
  readonly ground: string;
}

async function inspectPage(
  contents: WebContents,
): Promise<PageInspection | null> {
  const answer = await evaluate(
    contents,
    `[${pageContentScript}, ${groundOfPage}]`,
  ).catch(() => null);
  if (!Array.isArray(answer)) return null;
  const [found, ground] = answer as [Found, string];
  if (found !== "frames" && found !== "frames-on-color")
    return { found, ground };
  const states = await inspectFrames(contents);
  if (states.includes("something")) return { found: "something", ground };
  const isOnlyColor = found === "frames-on-color" && !states.includes("failed");
  return { found: isOnlyColor ? "out-of-sight" : "empty-frames", ground };
}

type FrameState = "something" | "failed" | "nothing";

async function inspectFrames(
  contents: WebContents,
): Promise<readonly FrameState[]> {
  const frames = contents.mainFrame.framesInSubtree.filter(
    (frame) => frame !== contents.mainFrame,
  );
  if (frames.length > maxFrames) return ["something"];
  return Promise.all(frames.map(inspectFrame));
}

async function inspectFrame(frame: WebFrameMain): Promise<FrameState> {
  let late: NodeJS.Timeout | undefined;
  const silence = new Promise<null>((resolve) => {
    late = setTimeout(() => resolve(null), frameDeadlineMs);
  });
  try {
    const answer: unknown = await Promise.race([
      frame.executeJavaScript(
        `[location.protocol === "chrome-error:", innerWidth * innerHeight, ${pageContentScript}]`,
      ),
      silence,
    ]);
    // Without an address it is still waiting for its server.
    if (!Array.isArray(answer))
      return frame.url === "" ? "nothing" : "something";
    const [hasFailed, area, found] = answer as [boolean, number, Found];
    // A frame without an area is not for people to see.
    if (area < 1) return "nothing";
    if (hasFailed) return "failed";
    return found === "something" || found === "plain" ? "something" : "nothing";
  } catch {
    // It was removed: another check follows.
    return "something";
  } finally {
    clearTimeout(late);
  }
}

/** Relies on repeated calls: what is of one colour is checked again soon. */
function isLongOutOfSight(contents: WebContents): boolean {
  const atMs = performance.now();
  const before = outOfSight.get(contents);
  const isStill = before && atMs - before.atMs <= maxApartMs;
  const sinceMs = isStill ? before.sinceMs : atMs;
  outOfSight.set(contents, { sinceMs, atMs });
  return atMs - sinceMs >= outOfSightMs;
}

/** The same for a page that was ready before; one that does not answer is not known to be blank. */
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

/**
 * `nothing`: neither a colour of its own nor anything that a person could see. `out-of-sight`: a colour of its own, and content
 * on the page, but none of it visible. `plain`: only a colour of its own. `frames`, `frames-on-color`: nothing visible but
 * frames. Inspects a limited number of nodes: a page with more counts as having content.
 */
const pageContentScript = `(() => {
  const root = document.documentElement;
  if (!root) return "nothing";
  if (root.namespaceURI !== "http://www.w3.org/1999/xhtml")
    return root.childElementCount > 0 || root.textContent.trim() !== "" ? "something" : "nothing";
  const mostNodes = 2000;
  const clear = /^(transparent|rgba\\(.*, 0\\))$/;
  const isPainted = (style) =>
    style.backgroundImage !== "none" || !clear.test(style.backgroundColor);
  const hasSize = (box) => box.width >= 1 && box.height >= 1;
  const isInSight = (box) =>
    box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight;
  // What is not drawn tells its colours all the same; what lies in the top layer is drawn without the rest.
  const isUndrawn = ({ display, opacity }) => display === "none" || opacity === "0";
  const raised = document.querySelector(":modal, :popover-open, :fullscreen");
  if (isUndrawn(getComputedStyle(root)))
    return !raised || raised === root ? "nothing" : "something";
  const body = document.body;
  const isDrawn = body && getComputedStyle(body).display !== "none";
  const isColoured =
    isPainted(getComputedStyle(root)) || (isDrawn && isPainted(getComputedStyle(body)));
  if (!isDrawn) {
    if (!isColoured) return "nothing";
    return body && body.textContent.trim() !== "" ? "out-of-sight" : "plain";
  }
  const drawn = /^(img|svg|canvas|video|iframe|frame|frameset|embed|object|input|button|select|textarea|hr|progress|meter|math)$/i;
  const isMade = (element) => {
    if (drawn.test(element.localName) || element.shadowRoot || element.localName.includes("-")) return true;
    const style = getComputedStyle(element);
    if (isPainted(style) || (style.borderStyle !== "none" && style.borderWidth !== "0px")) return true;
    return ["::before", "::after"].some((part) => {
      const { content } = getComputedStyle(element, part);
      return content !== "none" && content !== "normal";
    });
  };
  const boxOf = (node) => {
    if (node.nodeType !== Node.TEXT_NODE) return node.getBoundingClientRect();
    const range = document.createRange();
    range.selectNodeContents(node);
    return range.getBoundingClientRect();
  };
  let isAnywhere = false;
  let hasFrames = false;
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let count = 0; walker.nextNode(); count += 1) {
    if (count > mostNodes) return "something";
    const node = walker.currentNode;
    const isText = node.nodeType === Node.TEXT_NODE;
    const element = isText ? node.parentElement : node;
    if (!element || !element.checkVisibility()) continue;
    if (isText && node.data.trim() === "") continue;
    const box = boxOf(node);
    if (!hasSize(box) || !(isText || isMade(element))) continue;
    const isShown = element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    if (!isShown || !isInSight(box)) isAnywhere = true;
    else if (/^i?frame$/.test(element.localName)) hasFrames = true;
    else return "something";
  }
  if (hasFrames) return isColoured ? "frames-on-color" : "frames";
  if (!isColoured) return "nothing";
  return isAnywhere ? "out-of-sight" : "plain";
})()`;

/** Identifies the document, and the colours of its background. */
const groundOfPage = `[performance.timeOrigin, ...[document.documentElement, document.body].map((element) => {
  if (!element) return "";
  const { backgroundColor, backgroundImage } = getComputedStyle(element);
  return backgroundColor + backgroundImage;
})].join()`;
