// Uploading a file from a browser: given up only when nothing happens any more, however long the whole takes.

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { postFile as PostFile } from "../../../../renderer/manager/transport/post-file.ts";

const minuteMs = 60_000;

/** What a browser's request reports, under the test's control. */
class Request {
  static latest: Request;
  readonly upload: {
    onprogress?: (event: { readonly loaded: number }) => void;
    onload?: () => void;
  } = {};
  onload?: () => void;
  onloadend?: () => void;
  onerror?: () => void;
  timeout = 0;
  status = 0;
  responseText = "";
  isAborted = false;

  constructor() {
    Request.latest = this;
  }
  open(): void {}
  setRequestHeader(): void {}
  send(): void {}
  getResponseHeader(): string {
    return "application/json";
  }
  abort(): void {
    this.isAborted = true;
    this.onloadend?.();
  }
  respond(text: string): void {
    this.status = 201;
    this.responseText = text;
    this.onload?.();
    this.onloadend?.();
  }
}

let postFile: typeof PostFile;

beforeEach(async () => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  vi.stubGlobal("XMLHttpRequest", Request);
  ({ postFile } =
    await import("../../../../renderer/manager/transport/post-file.ts"));
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function post(unreachable?: string) {
  const sent: number[] = [];
  const outcome = postFile("/upload", {
    ...{ field: "file", name: "a.mp4", headers: {} },
    content: new Blob(["x".repeat(1000)]),
    onBytes: (bytes) => sent.push(bytes),
    signal: new AbortController().signal,
    ...(unreachable !== undefined && { unreachable }),
  }).catch((error: unknown) => (error as Error).message);
  return { outcome, sent, request: Request.latest };
}

describe("uploading a file from a browser", () => {
  it("continues for hours while bytes are sent", async () => {
    const { outcome, sent, request } = post();
    for (let part = 1; part <= 30; part += 1) {
      await vi.advanceTimersByTimeAsync(9 * minuteMs);
      request.upload.onprogress?.({ loaded: part * 10 });
    }
    await vi.advanceTimersByTimeAsync(9 * minuteMs);
    request.upload.onload?.();
    await vi.advanceTimersByTimeAsync(9 * minuteMs);
    request.respond("{}");
    expect(await outcome).toMatchObject({ status: 201, text: "{}" });
    expect(sent).toHaveLength(30);
    expect([request.timeout, vi.getTimerCount()]).toEqual([0, 0]);
  });

  it("gives up a connection without progress, and names what doesn't respond", async () => {
    const { outcome, request } = post("Couldn’t reach it.");
    request.upload.onprogress?.({ loaded: 10 });
    await vi.advanceTimersByTimeAsync(10 * minuteMs);
    expect(await outcome).toBe("Couldn’t reach it.");
    expect([request.isAborted, vi.getTimerCount()]).toEqual([true, 0]);
  });

  it("gives up a server that doesn't respond to what it has received", async () => {
    const { outcome, request } = post();
    request.upload.onload?.();
    await vi.advanceTimersByTimeAsync(10 * minuteMs);
    expect(await outcome).toContain("Couldn’t reach the player");
    expect(request.isAborted).toBe(true);
  });
});
