// Reads a stream of server-sent events, one after the other.

import { afterThisTest } from "../after-this-test.ts";

export interface SentEvent {
  readonly event: string;
  readonly id: string | undefined;
  // Any response is for the test to judge.
  readonly data: any;
}

export interface EventReader {
  readonly status: number;
  readonly headers: Headers;
  /** The next event; comments are skipped. Null when the stream ended. */
  next(): Promise<SentEvent | null>;
  /** Data of the next event with this name; throws when the stream ends before. */
  // Any response is for the test to judge.
  nextOf(name: string): Promise<any>;
  /** The next block unparsed, comments included. */
  nextBlock(): Promise<string | null>;
  close(): Promise<void>;
}

export async function readEvents(
  pendingResponse: Promise<Response>,
): Promise<EventReader> {
  const response = await pendingResponse;
  const reader = response.body?.getReader();
  if (!reader) throw new Error("no stream");
  const decoder = new TextDecoder();
  let text = "";

  async function nextBlock(): Promise<string | null> {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const block = text.slice(0, end);
        text = text.slice(end + 2);
        return block;
      }
      const { done, value } = await reader!.read();
      if (done) return null;
      text += decoder.decode(value, { stream: true });
    }
  }

  async function next(): Promise<SentEvent | null> {
    for (;;) {
      const block = await nextBlock();
      if (block === null) return null;
      const field = (name: string) =>
        new RegExp(`^${name}: (.*)$`, "m").exec(block)?.[1];
      const event = field("event");
      if (event === undefined) continue;
      return { event, id: field("id"), data: JSON.parse(field("data") ?? "") };
    }
  }

  async function nextOf(name: string): Promise<unknown> {
    for (;;) {
      const event = await next();
      if (!event) throw new Error(`the stream ended before ${name}`);
      if (event.event === name) return event.data;
    }
  }

  const close = () => reader.cancel().catch(() => undefined);
  afterThisTest(close);
  return {
    status: response.status,
    headers: response.headers,
    next,
    nextOf,
    nextBlock,
    close,
  };
}
