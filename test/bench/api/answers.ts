// Reads the responses of one connection with minimal work, so that the machine's time goes to the server.

import type { Socket } from "node:net";

export interface Answer {
  readonly isFine: boolean;
}

/** Calls back once per complete response; each must state its Content-Length. */
export function readAnswers(
  socket: Socket,
  onAnswer: (answer: Answer) => void,
  bytesCame: (bytes: number) => void = () => undefined,
): void {
  let head: Buffer = Buffer.alloc(0);
  let isFine = false;
  /** Bytes of the body still to come; null while the head is read. */
  let missing: number | null = null;

  function take(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (missing === null) {
        const complete = head.length > 0 ? Buffer.concat([head, rest]) : rest;
        const end = complete.indexOf("\r\n\r\n");
        if (end < 0) {
          head = complete;
          return;
        }
        const text = complete.toString("latin1", 0, end);
        isFine = text[9] === "2";
        missing = lengthIn(text);
        head = Buffer.alloc(0);
        rest = complete.subarray(end + 4);
      }
      const taken = Math.min(missing, rest.length);
      missing -= taken;
      rest = rest.subarray(taken);
      if (missing === 0) {
        missing = null;
        onAnswer({ isFine });
      }
    }
  }

  socket.on("data", (chunk: Buffer) => {
    bytesCame(chunk.length);
    take(chunk);
  });
}

function lengthIn(head: string): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  // Setting the order is answered without a body.
  return Number(length ?? 0);
}
