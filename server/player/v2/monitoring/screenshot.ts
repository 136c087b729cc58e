// GET /screenshot: what is on the screen, as PNG.

import type { RequestHandler } from "express";

export function sendScreenshot(
  takeScreenshot: () => Promise<Uint8Array>,
): RequestHandler {
  return async (_request, response) => {
    const screenshot = await takeScreenshot();
    response
      .setHeader("Cache-Control", "no-store")
      .type("png")
      .send(Buffer.from(screenshot));
  };
}
