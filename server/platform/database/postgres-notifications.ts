// Listens for PostgreSQL's notifications (LISTEN, NOTIFY) on a connection of its own, which is opened again when it is lost.
// Behind a pooler that shares connections between transactions, such as PgBouncer in its transaction mode, LISTEN succeeds and
// nothing ever arrives; so does a connection whose server is gone without a word. Both are noticed by notifications of its own.

import { randomBytes } from "node:crypto";
import pg from "pg";
import type { Socket } from "node:net";
import {
  asDatabaseError,
  type Listening,
  type ListenOptions,
  type ListenTiming,
  type Run,
} from "./database.ts";

const usualTiming: ListenTiming = {
  ...{ probeEveryMs: 10_000, probeDeadlineMs: 10_000 },
  pausesMs: { first: 100, longest: 30_000 },
};
/** For opening the connection, and for each statement on it. */
const connectMs = 10_000;
/** Some servers close connections without statements. */
const staysOpen = "-c idle_session_timeout=0";
const endMs = 1_000;

/** `send` is to use other connections than the one that listens: a pooler could deliver to the sender what reaches nobody else. */
export function listenForNotifications(
  address: pg.ClientConfig,
  send: Run,
  options: ListenOptions,
): Listening {
  const { channel, onNotified } = options;
  const { timing = usualTiming } = options;
  const ownChannel = `${channel}_${randomBytes(8).toString("hex")}`;
  let current: pg.Client | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pauseMs = timing.pausesMs.first;
  let probes = 0;
  let state: "starting" | "receiving" | "interrupted" = "starting";
  const closing = new Set<Promise<void>>();

  function after(ms: number, act: () => void): void {
    clearTimeout(timer);
    timer = setTimeout(act, ms);
    timer.unref();
  }

  function begin(): void {
    const client = new pg.Client({
      ...address,
      options: [address.options, staysOpen].filter(Boolean).join(" "),
      ...{ connectionTimeoutMillis: connectMs, query_timeout: connectMs },
    });
    current = client;
    client.on("error", (error) => lose(client, error));
    client.on("end", () =>
      lose(client, new Error("The connection that listens was closed.")),
    );
    client.on("notification", (notification) => {
      const { payload = "" } = notification;
      if (notification.channel === channel) onNotified(payload);
      else if (payload === String(probes)) noteProbe(client);
    });
    open(client).then(
      () => probe(client),
      (error: unknown) => lose(client, error),
    );
  }

  async function open(client: pg.Client): Promise<void> {
    await client.connect();
    await client.query(`LISTEN ${channel}; LISTEN ${ownChannel}`);
  }

  function probe(client: pg.Client): void {
    if (client !== current) return;
    probes += 1;
    after(timing.probeDeadlineMs, () =>
      lose(client, new Error("Notifications of this instance do not arrive.")),
    );
    send({
      text: "SELECT pg_notify($1, $2)",
      values: [ownChannel, String(probes)],
    }).catch((error: unknown) => lose(client, error));
  }

  function noteProbe(client: pg.Client): void {
    if (client !== current) return;
    after(timing.probeEveryMs, () => probe(client));
    if (state === "receiving") return;
    state = "receiving";
    pauseMs = timing.pausesMs.first;
    options.onReceiving();
  }

  function lose(client: pg.Client, error: unknown): void {
    if (client !== current) return;
    current = null;
    close(client);
    after(pauseMs, begin);
    pauseMs = Math.min(pauseMs * 2, timing.pausesMs.longest);
    if (state === "interrupted") return;
    state = "interrupted";
    options.onInterrupted(asDatabaseError(error));
  }

  /** A server that stands still does not take part in ending the connection. */
  function close(client: pg.Client): void {
    const { stream } = (
      client as unknown as { readonly connection: { readonly stream: Socket } }
    ).connection;
    const late = setTimeout(() => stream.destroy(), endMs);
    const closed = client
      .end()
      .catch(() => undefined)
      .finally(() => {
        clearTimeout(late);
        closing.delete(closed);
      });
    closing.add(closed);
  }

  begin();
  return {
    stop: async () => {
      clearTimeout(timer);
      const client = current;
      current = null;
      if (client) close(client);
      await Promise.all(closing);
    },
  };
}
