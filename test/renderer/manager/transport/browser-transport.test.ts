// Transport of the manager in a browser: requests built from the contract, outcomes, uploads and the event stream.

import {
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from "vitest";
import type { PlayerEventV2 } from "../../../../server/contract/v2/v2-monitoring.ts";
import type { Transport } from "../../../../renderer/manager/transport/player-transport.ts";
import { operationsV2 } from "../../../../server/contract/v2/operations/v2-operations.ts";

let transport: Transport;

beforeAll(async () => {
  vi.stubGlobal("navigator", { language: "en" });
  vi.stubGlobal("window", { localStorage: { getItem: () => null } });
  ({ browserTransport: transport } =
    await import("../../../../renderer/manager/transport/browser-transport.ts"));
});

const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();

beforeEach(() => {
  fetched.mockReset();
  fetched.mockImplementation(() => Promise.resolve(Response.json([])));
  vi.stubGlobal("fetch", fetched);
});

describe("the transport of a browser", () => {
  it("builds the request of every operation from the contract", async () => {
    for (const { id, method, path } of operationsV2) {
      const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name);
      const parameters = Object.fromEntries(
        names.map((name) => [name, "a/b c"]),
      );
      await transport.operate({ operation: id, parameters });
      const [target, init] = fetched.mock.lastCall ?? [];
      expect([init?.method, target]).toEqual([
        method.toUpperCase(),
        path.replaceAll(/:\w+/g, "a%2Fb%20c"),
      ]);
    }
  });

  it("sends bodies as JSON, other parameters in the query, and the manager's header [V2-775]", async () => {
    await transport.operate({
      ...{ operation: "listActivity", parameters: { search: "a&b" } },
    });
    expect(fetched.mock.lastCall?.[0]).toBe("/api/v2/activity?search=a%26b");
    await transport.operate({
      ...{ operation: "changeSettings", body: { volume: 7 } },
    });
    expect(fetched.mock.lastCall?.[1]).toMatchObject({
      ...{ method: "PATCH", body: '{"volume":7}', redirect: "error" },
      headers: { "Content-Type": "application/json", "x-vitrine-manager": "1" },
    });
  });

  it("returns an error response with its fields, and rejects without a response", async () => {
    const fields = { volume: ["volume must be a number."] };
    fetched.mockResolvedValueOnce(Response.json(fields, { status: 400 }));
    expect(
      await transport.operate({ operation: "changeSettings", body: {} }),
    ).toMatchObject({ isDone: false, code: "invalid", fields });
    fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    await expect(transport.operate({ operation: "readNow" })).rejects.toThrow(
      "Couldn’t reach the player",
    );
  });

  it("addresses stored files at the player", () => {
    const stored = { file: { sha256: "ab" } };
    expect(transport.fileAddressOf({ asset_id: "1", stored })).toBe(
      "/api/v2/files/ab",
    );
  });
});

describe("an upload", () => {
  interface Sent {
    readonly target: string;
    readonly headers: Record<string, string>;
    readonly body: FormData;
  }

  function stubUploads(
    answers: readonly (readonly [status: number, text: string])[],
  ): Sent[] {
    const sent: Sent[] = [];
    class Request {
      status = 0;
      responseText = "";
      upload: { onprogress?: (event: { loaded: number }) => void } = {};
      onload?: () => void;
      onerror?: () => void;
      onloadend?: () => void;
      headers: Record<string, string> = {};
      target = "";
      open(method: string, target: string): void {
        this.target = `${method} ${target}`;
      }
      setRequestHeader(name: string, value: string): void {
        this.headers[name] = value;
      }
      getResponseHeader(): string {
        return "application/json";
      }
      send(body: FormData): void {
        const answer = answers[sent.length];
        sent.push({ target: this.target, headers: this.headers, body });
        this.upload.onprogress?.({ loaded: 3 });
        this.upload.onprogress?.({ loaded: 300 });
        [this.status, this.responseText] = answer ?? [0, ""];
        if (answer) this.onload?.();
        else this.onerror?.();
        this.onloadend?.();
      }
    }
    vi.stubGlobal("XMLHttpRequest", Request);
    return sent;
  }

  const id = "ab".repeat(16);
  const state = (received: number, uri: string | null = null) =>
    Response.json({
      ...{ upload_id: id, total: 5, received, uri, ext: null },
      missing: received === 5 ? [] : [{ from: received, to: 4 }],
    });
  const whole = JSON.stringify({
    ...{ upload_id: id, received: 5, uri: `upload:${id}`, ext: ".png" },
  });
  const sending = () => ({
    ...{ uploadId: id, signal: new AbortController().signal },
    ...{ onBytes: vi.fn(), onInterrupted: vi.fn() },
  });

  beforeEach(() => {
    vi.stubGlobal("addEventListener", vi.fn());
    vi.stubGlobal("removeEventListener", vi.fn());
    vi.stubGlobal("document", new EventTarget());
  });

  it("reports its bytes, and names the file without its extension", async () => {
    fetched.mockResolvedValueOnce(state(0));
    const sent = stubUploads([[200, whole]]);
    const sendingOne = sending();
    const outcome = await transport.sendFile(
      new File(["12345"], "My photo.v2.png"),
      sendingOne,
    );
    expect(outcome).toEqual({ uri: `upload:${id}`, name: "My photo.v2" });
    expect(sendingOne.onBytes.mock.calls).toEqual([
      ...[0, 3, 5, 5].map((bytes) => [bytes, 5]),
    ]);
    expect(fetched.mock.calls.map(([target]) => target)).toEqual([
      `/api/v2/file_asset/${id}`,
    ]);
    expect(sent[0]).toMatchObject({
      ...{ target: "POST /api/v2/file_asset" },
      headers: {
        ...{ "x-vitrine-manager": "1", "X-Upload-Id": id },
        "Content-Range": "bytes 0-4/5",
      },
    });
    expect([...(sent[0]?.body.keys() ?? [])]).toEqual(["file_upload"]);
  });

  it("continues with the missing bytes after a lost connection", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    vi.useFakeTimers();
    fetched.mockResolvedValueOnce(state(0));
    fetched.mockRejectedValueOnce(new TypeError("Failed to fetch"));
    fetched.mockResolvedValueOnce(state(2));
    const sendingOne = sending();
    const sent = stubUploads([
      [503, '{"detail":"Busy."}'],
      [200, whole],
    ]);
    const outcome = transport.sendFile(new File(["12345"], "a"), sendingOne);
    await vi.runAllTimersAsync();
    expect(await outcome).toMatchObject({ uri: `upload:${id}` });
    vi.useRealTimers();
    expect(sent.map(({ headers }) => headers["Content-Range"])).toEqual([
      ...["bytes 0-4/5", "bytes 2-4/5"],
    ]);
    expect(sendingOne.onInterrupted.mock.calls.flat()).toEqual([
      ...["Busy.", expect.stringContaining("Couldn’t reach the player"), null],
    ]);
  });

  it("[V2-813] is not tried forever at a player that fails, also where it has lost the bytes that arrived", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    vi.useFakeTimers();
    fetched.mockImplementation(() => Promise.resolve(state(0)));
    const sent = stubUploads(
      Array.from({ length: 50 }, (_, place) =>
        place % 2 === 0
          ? [200, JSON.stringify({ upload_id: id, received: 3 })]
          : [500, '{"detail":"Internal error."}'],
      ),
    );
    const outcome = transport.sendFile(new File(["12345"], "a"), sending());
    const rejected = expect(outcome).rejects.toThrow("Internal error.");
    await vi.runAllTimersAsync();
    await rejected;
    vi.useRealTimers();
    expect(sent.length).toBeLessThan(20);
  });

  it("[V2-804] stops when it is paused while a request hangs", async () => {
    const pausing = new AbortController();
    fetched.mockImplementation(
      (_target, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener("abort", () => {
            reject(signal.reason as Error);
          });
        }),
    );
    const { signal } = pausing;
    const outcome = transport.sendFile(new File(["12345"], "a"), {
      ...{ ...sending(), signal },
    });
    const rejected = expect(outcome).rejects.toBe("paused");
    await vi.waitUntil(() => fetched.mock.calls.length > 0);
    pausing.abort("paused");
    await rejected;
  });

  it("rejects with the player's reason, and skips what cannot be read", async () => {
    stubUploads([
      [400, '{"file_upload":["This file type is not supported."]}'],
    ]);
    fetched.mockResolvedValueOnce(state(0));
    const rejected = transport.sendFile(
      new File(["12345"], "x.exe"),
      sending(),
    );
    await expect(rejected).rejects.toThrow("This file type is not supported.");
    const folder = new File([], "folder");
    vi.spyOn(folder, "slice").mockReturnValue({
      arrayBuffer: () => Promise.reject(new DOMException("NotFoundError")),
    } as unknown as Blob);
    expect(await transport.sendFile(folder, sending())).toBeNull();
  });
});

describe("[V2-778] the event stream", () => {
  class Source extends EventTarget {
    static readonly CLOSED = 2;
    static all: Source[] = [];
    readyState = 1;
    onopen?: () => void;
    onerror?: () => void;
    readonly address: string;
    constructor(address: string) {
      super();
      this.address = address;
      Source.all.push(this);
    }
    close(): void {
      this.readyState = Source.CLOSED;
    }
  }

  class Page extends EventTarget {
    visibilityState = "visible";
    become(state: "visible" | "hidden"): void {
      this.visibilityState = state;
      this.dispatchEvent(new Event("visibilitychange"));
    }
  }

  let page: Page;
  let received: PlayerEventV2[];

  beforeEach(() => {
    vi.useFakeTimers();
    Source.all = [];
    received = [];
    page = new Page();
    vi.stubGlobal("EventSource", Source);
    vi.stubGlobal("document", page);
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const listen = () => transport.onPlayerEvent((event) => received.push(event));
  const changed = () =>
    received.flatMap((event) =>
      event.name === "changed" ? event.value.resource : [],
    );

  it("passes on what the player reports, and after a gap that everything may have changed", () => {
    const stop = listen();
    const [source] = Source.all;
    expect(source?.address).toBe("/api/v2/events");
    source?.onopen?.();
    source?.dispatchEvent(
      new MessageEvent("changed", { data: '{"resource":"assets"}' }),
    );
    expect(received).toEqual([
      { name: "changed", value: { resource: "assets" } },
    ]);
    // The browser reconnects by itself.
    source?.onerror?.();
    source?.onopen?.();
    expect(changed()).toEqual([
      ...["assets", "assets", "playlists", "settings", "takeover"],
      ...["tokens", "backups", "sync_accounts"],
    ]);
    stop();
    expect(source?.readyState).toBe(Source.CLOSED);
  });

  it("is one for all that listen", () => {
    const stops = [listen(), listen()];
    expect(Source.all).toHaveLength(1);
    Source.all[0]?.dispatchEvent(
      new MessageEvent("changed", { data: '{"resource":"assets"}' }),
    );
    expect(changed()).toEqual(["assets", "assets"]);
    stops[0]?.();
    expect(Source.all[0]?.readyState).toBe(1);
    stops[1]?.();
    expect(Source.all[0]?.readyState).toBe(Source.CLOSED);
  });

  it("of a page that was opened hidden begins with everything that may have changed since", () => {
    page.become("hidden");
    const stop = listen();
    expect(Source.all).toEqual([]);
    page.become("visible");
    Source.all[0]?.onopen?.();
    expect(changed()).toHaveLength(7);
    stop();
  });

  it("opens again after an error response, and stays closed while the page is hidden", () => {
    const stop = listen();
    const [first] = Source.all;
    first?.onopen?.();
    first?.close();
    first?.onerror?.();
    expect(fetched.mock.lastCall?.[0]).toBe("/api/v2/session");
    expect(Source.all).toHaveLength(1);
    vi.advanceTimersByTime(3000);
    expect(Source.all).toHaveLength(2);
    Source.all[1]?.onopen?.();
    expect(changed()).toHaveLength(7);
    page.become("hidden");
    expect(Source.all[1]?.readyState).toBe(Source.CLOSED);
    vi.advanceTimersByTime(60_000);
    expect(Source.all).toHaveLength(2);
    page.become("visible");
    expect(Source.all).toHaveLength(3);
    stop();
    page.become("visible");
    expect(Source.all).toHaveLength(3);
  });
});
