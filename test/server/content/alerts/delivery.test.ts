// Delivery of alerts by the real service: emails, retries, restarts, several instances, private networks, stored secrets.

import { createServer, type AddressInfo, type Socket } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { DeliveryError } from "../../../../server/content/alerts/delivery-error.ts";
import { createOutbox } from "../../../../server/content/alerts/outbox.ts";
import { sendWebhook } from "../../../../server/content/alerts/webhook.ts";
import type { ContentOptions } from "../../../../server/content/content.ts";
import type { ContentTables } from "../../../../server/content/tables.ts";
import {
  alertIncidentV3,
  type AlertIncidentV3,
} from "../../../../server/contract/v3/v3-alerts.ts";
import type { Database } from "../../../../server/platform/database/database.ts";
import { createLog } from "../../../../server/platform/log.ts";
import { afterThisTest } from "../../../support/after-this-test.ts";
import { startReceiver } from "../../../support/content/alert-receiver.ts";
import { eachContent } from "../../../support/content/each-content.ts";
import { clientV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import {
  mailUser,
  startMailServer,
} from "../../../support/content/mail-server.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";
import {
  contentKey,
  startContent,
} from "../../../support/content/start-content.ts";
import { secondConnection } from "../../../support/content/second-connection.ts";

const quick = { alertCheckMs: 50, alertPauseMs: 20 };
const secret = "a secret of the receiver";
const blank = reportOf({ verdict: "blank" });
const wrongAtOnce = { name: "Wrong", states: ["wrong"], after_seconds: 0 };

const incidentWhere = (
  client: ClientV3,
  isIt: (incident: AlertIncidentV3) => boolean,
): Promise<AlertIncidentV3> =>
  vi.waitUntil(
    async () =>
      alertIncidentV3
        .array()
        .parse(await client.get("/alerts/incidents/"))
        .find(isIt),
    { interval: 20 },
  );

const firstMessage = ({ messages }: AlertIncidentV3) => messages[0];

eachContent(({ ground, start }) => {
  const startClient = async (options: Partial<ContentOptions> = {}) => {
    const content = await start({ ...quick, ...options });
    return clientV3(content.address, contentKey);
  };

  describe("emails", () => {
    const withMail = async (options: Partial<ContentOptions> = {}) => {
      const mail = await startMailServer();
      const { user, password } = mailUser;
      const client = await startClient({
        smtpUrl: `smtp://${user}:${encodeURIComponent(password)}@127.0.0.1:${mail.port}`,
        smtpFrom: "Signage <alerts@example.org>",
        ...options,
      });
      return { mail, client };
    };

    it("[V3-98] go to each address on its own, about the beginning and the end", async () => {
      const { mail, client } = await withMail();
      const emails = ["a@example.org", "b@example.org"];
      await client.make("/alerts/rules/", { ...wrongAtOnce, emails });
      const player = await claimedPlayer(client, "Café\r\nBcc: x@example.org");
      await player.beat({ report: blank });
      const both = [await mail.nextMail(), await mail.nextMail()];
      expect(both.map(({ to }) => to).sort()).toEqual(
        emails.map((one) => [one]),
      );
      expect(mail.signIns[0]).toEqual(mailUser);
      const [first] = both;
      expect(first?.from).toBe("alerts@example.org");
      expect(first?.text).toMatch(/^From: Signage <alerts@example\.org>$/m);
      expect(first?.text).toMatch(/^Auto-Submitted: auto-generated$/m);
      expect(first?.text).not.toMatch(/^Bcc:/im);
      await player.beat({ report: reportOf() });
      const ended = await mail.nextMail();
      expect(ended.text).toMatch(/^Subject: .*=\?UTF-8\?/m);
    });

    it("[V3-98] say which screen, since when and why", async () => {
      const { mail, client } = await withMail();
      const emails = ["a@example.org"];
      const rule = await client.make("/alerts/rules/", {
        ...{ ...wrongAtOnce, emails, name: "Night watch" },
      });
      const player = await claimedPlayer(client, "Lobby");
      await player.beat({ report: blank });
      const { text } = await mail.nextMail();
      expect(text).toMatch(
        /^Subject: \[Vitrine\] Lobby shows the wrong content$/m,
      );
      const body = decoded(text);
      expect(body).toMatch(
        /^Lobby shows the wrong content \(since \d{4}-\d\d-\d\d \d\d:\d\d UTC\)\.$/m,
      );
      expect(body).toContain("The screen is blank instead of showing “Menu”.");
      expect(body).toMatch(/^Alert rule: Night watch$/m);
      await player.beat({ report: reportOf() });
      expect((await mail.nextMail()).text).toMatch(
        /^Subject: \[Vitrine\] Lobby no longer shows the wrong content$/m,
      );
      const tested = await client.make(`/alerts/rules/${rule.id}/test/`, {});
      expect(tested.results).toEqual([
        {
          ...{ target: "email", address: "a@example.org", is_sent: true },
          result: expect.stringMatching(
            /^The mail server accepted it: 250 /,
          ) as string,
        },
      ]);
      expect((await mail.nextMail()).text).toMatch(/^Subject: .*Test/m);
    });

    it("[V4-415] are in the language of the service", async () => {
      const { mail, client } = await withMail({ language: "de" });
      const emails = ["a@example.org"];
      await client.make("/alerts/rules/", { ...wrongAtOnce, emails });
      const player = await claimedPlayer(client, "Lobby");
      await player.beat({ report: blank });
      const { text } = await mail.nextMail();
      expect(text).toMatch(/^Subject: \[Vitrine\] Lobby: falscher Inhalt$/m);
      expect(text).toMatch(/^Content-Language: de$/m);
      expect(decoded(text)).toContain(
        "Der Bildschirm ist leer, statt „Menu“ zu zeigen.",
      );
    });

    it("[V3-99] a refused recipient is given up at once, a busy mailbox is tried again", async () => {
      const { mail, client } = await withMail();
      mail.rejected.set("gone@example.org", 550).set("busy@example.org", 450);
      const emails = [...mail.rejected.keys()];
      await client.make("/alerts/rules/", { ...wrongAtOnce, emails });
      const player = await claimedPlayer(client);
      await player.beat({ report: blank });
      const incident = await incidentWhere(client, ({ messages }) => {
        const [gone, busy] = messages;
        return gone?.state === "failed" && (busy?.tries ?? 0) > 1;
      });
      expect(incident.messages).toMatchObject([
        {
          ...{ address: "gone@example.org", tries: 1 },
          result: "The mail server responded: 550 No such mailbox",
        },
        {
          ...{ address: "busy@example.org", state: "waiting" },
          result: "The mail server responded: 450 No such mailbox",
        },
      ]);
      mail.rejected.clear();
      expect((await mail.nextMail()).to).toEqual(["busy@example.org"]);
      await incidentWhere(
        client,
        ({ messages }) => messages[1]?.state === "sent",
      );
      expect(mail.mails).toHaveLength(1);
    });
  });

  describe("webhooks", () => {
    it("[V3-99] are retried with the same id until they are accepted", async () => {
      const client = await startClient();
      const receiver = await startReceiver();
      let left = 3;
      receiver.answerWith((response) => {
        left -= 1;
        response.writeHead(left < 0 ? 200 : 500).end();
      });
      await client.make("/alerts/rules/", {
        ...{ ...wrongAtOnce, webhook: { url: receiver.address, secret } },
      });
      const player = await claimedPlayer(client);
      await player.beat({ report: blank });
      const incident = await incidentWhere(
        client,
        (one) => firstMessage(one)?.state === "sent",
      );
      expect(firstMessage(incident)?.tries).toBe(4);
      expect(
        new Set(
          receiver.requests.map(({ headers }) => headers["idempotency-key"]),
        ),
      ).toEqual(new Set([firstMessage(incident)?.message_id]));
      expect(receiver.requests).toHaveLength(4);
    });

    it("[V3-99] that are gone are given up at once", async () => {
      const client = await startClient();
      const receiver = await startReceiver();
      receiver.answerWith((response) => response.writeHead(410).end());
      await client.make("/alerts/rules/", {
        ...{ ...wrongAtOnce, webhook: { url: receiver.address, secret } },
      });
      await (await claimedPlayer(client)).beat({ report: blank });
      const incident = await incidentWhere(
        client,
        (one) => firstMessage(one)?.state === "failed",
      );
      expect(firstMessage(incident)).toMatchObject({
        ...{ tries: 1, result: "The server responded with status 410." },
      });
    });

    it("[V3-97] a response without end is cut off after its head", async () => {
      const client = await startClient();
      const receiver = await startReceiver();
      let isClosed = false;
      receiver.answerWith((response) => {
        response.writeHead(200);
        response.on("close", () => {
          isClosed = true;
        });
        const more = (): void => {
          if (!isClosed) response.write("x".repeat(65_536), () => more());
        };
        more();
      });
      const rule = await client.make("/alerts/rules/", {
        ...{ ...wrongAtOnce, webhook: { url: receiver.address, secret } },
      });
      const tested = await client.make(`/alerts/rules/${rule.id}/test/`, {});
      expect(tested.results).toMatchObject([{ is_sent: true }]);
      await vi.waitUntil(() => isClosed);
    });

    it("[V3-90] in a private network are rejected, by address and by what their name resolves to", async () => {
      // Strangers can reach it.
      const client = await startClient({ behindProxy: true });
      for (const host of ["127.0.0.1", "10.1.2.3", "[::1]", "[fd00::1]"]) {
        const webhook = { url: `http://${host}:80/`, secret };
        const answer = await client.call("POST", "/alerts/rules/", {
          ...{ ...wrongAtOnce, webhook },
        });
        expect([host, answer.status, answer.json]).toEqual([
          ...[host, 400],
          {
            webhook: [
              "webhook.url must not be an address on a private network",
            ],
          },
        ]);
      }
      const receiver = await startReceiver();
      const url = receiver.address.replace("127.0.0.1", "localhost");
      const rule = await client.make("/alerts/rules/", {
        ...{ ...wrongAtOnce, webhook: { url, secret } },
      });
      expect(
        await client.make(`/alerts/rules/${rule.id}/test/`, {}),
      ).toMatchObject({
        results: [
          {
            is_sent: false,
            result:
              "The request failed: it resolves to an address on a private network.",
          },
        ],
      });
      expect(receiver.requests).toEqual([]);
    });
  });

  it("[V3-156] an instance that is stopped while it sends waits for the response, for a moment, and repeats nothing that arrived", async () => {
    const place = await ground();
    const { address } = await startContent(place.dataDir, {
      ...{ databaseUrl: place.databaseUrl, alertCheckMs: 3_600_000 },
    });
    const rule = await clientV3(address, contentKey).make("/alerts/rules/", {
      ...{ ...wrongAtOnce, webhook: { url: "http://127.0.0.1:9/", secret } },
    });
    const connection: unknown = secondConnection(place);
    const database = connection as Database<ContentTables>;
    const { kysely } = database;
    const team = await kysely
      .selectFrom("alert_rules")
      .select("team_id")
      .executeTakeFirstOrThrow();
    const enqueue = async (id: string): Promise<void> => {
      const common = { id, rule_id: rule.id as string, created_at: Date.now() };
      await kysely
        .insertInto("alert_messages")
        .values({ ...common, ...team, is_digest: false, body: "{}" })
        .execute();
      await kysely
        .insertInto("alert_deliveries")
        .values({
          ...{ ...common, message_id: id, address: id, tries: 0, due_at: 0 },
          ...{ target: "webhook", state: "waiting", lease_until: 0 },
          ...{ lease_owner: null, tried_at: null, result: null },
        })
        .execute();
    };
    const stateOf = (id: string) =>
      kysely
        .selectFrom("alert_deliveries")
        .select(["state", "lease_owner"])
        .where("id", "=", id)
        .executeTakeFirst();
    for (const [id, graceMs, state] of [
      ["a", 600_000, "sent"],
      ["b", 0, "waiting"],
    ] as const) {
      let begun = false;
      let respond: () => void = () => undefined;
      const outbox = createOutbox({
        ...{ database, now: Date.now, owner: id, graceMs },
        log: createLog({ toStandardOutput: false }),
        send: (_delivery, signal) =>
          new Promise((resolve, reject) => {
            begun = true;
            respond = () => resolve("It arrived.");
            signal.addEventListener("abort", () =>
              reject(new DeliveryError("It was given up.")),
            );
          }),
      });
      await enqueue(id);
      outbox.wake();
      await vi.waitUntil(() => begun);
      const stopping = outbox.stop();
      if (graceMs > 0) respond();
      await stopping;
      expect(await stateOf(id)).toEqual({ state, lease_owner: null });
    }
  });

  it("[V3-99] a restart neither loses nor repeats a message", async () => {
    const place = await ground();
    const receiver = await startReceiver();
    receiver.answerWith((response) => response.writeHead(500).end());
    const run = (alertPauseMs: number) =>
      startContent(place.dataDir, {
        ...{ databaseUrl: place.databaseUrl, alertCheckMs: 50, alertPauseMs },
      });
    const before = await run(20);
    const client = clientV3(before.address, contentKey);
    await client.make("/alerts/rules/", {
      ...{ ...wrongAtOnce, webhook: { url: receiver.address, secret } },
    });
    const player = await claimedPlayer(client, "Lobby");
    await player.beat({ report: blank });
    await incidentWhere(client, (one) => (firstMessage(one)?.tries ?? 0) > 1);
    await before.stop();
    receiver.answerWith((response) => response.writeHead(204).end());
    const until = receiver.requests.length;
    const after = clientV3((await run(20)).address, contentKey);
    const incident = await incidentWhere(
      after,
      (one) => firstMessage(one)?.state === "sent",
    );
    expect(incident.ended_at).toBeNull();
    // Sent when it was stored as sent: nothing follows in further checks.
    const marker = await after.make("/alerts/rules/", {
      ...{ ...wrongAtOnce, name: "Marker" },
    });
    await incidentWhere(after, ({ rule_id }) => rule_id === marker.id);
    const since = receiver.requests.slice(until);
    expect(since.map(({ json }) => json.id)).toEqual([
      firstMessage(incident)?.message_id,
    ]);
  });

  it("[V3-93] [V3-99] of two instances exactly one opens an incident and sends it; the other continues when it ends", async () => {
    const { dataDir, databaseUrl } = await ground();
    const receiver = await startReceiver();
    const run = () => startContent(dataDir, { databaseUrl, ...quick });
    const one = await run();
    const other = await run();
    const client = clientV3(one.address, contentKey);
    await client.make("/alerts/rules/", {
      ...{ ...wrongAtOnce, webhook: { url: receiver.address, secret } },
    });
    const players = [];
    for (const name of ["A", "B", "C"])
      players.push(await claimedPlayer(client, name));
    for (const player of players) await player.beat({ report: blank });
    await vi.waitUntil(() => receiver.requests.length >= 3);
    const opened = () =>
      receiver.requests.flatMap(({ json }) =>
        (json.opened.incidents as { screen: { name: string } }[]).map(
          ({ screen }) => screen.name,
        ),
      );
    expect(opened().sort()).toEqual(["A", "B", "C"]);
    await one.stop();
    const left = clientV3(other.address, contentKey);
    const late = await claimedPlayer(left, "D");
    await late.beat({ report: blank });
    await incidentWhere(
      left,
      (incident) =>
        incident.screen_name === "D" &&
        firstMessage(incident)?.state === "sent",
    );
    expect(opened().sort()).toEqual(["A", "B", "C", "D"]);
  });

  it("[V3-91] the secret is encrypted in the database with the operator's key, also if it was stored before", async () => {
    const { dataDir, databaseUrl } = await ground();
    const receiver = await startReceiver();
    const key = { secretsKey: "k".repeat(40) };
    const run = (options: Partial<ContentOptions> = {}) =>
      startContent(dataDir, { databaseUrl, ...quick, ...options });
    const plain = await run();
    const webhook = { url: receiver.address, secret };
    const rule = await clientV3(plain.address, contentKey).make(
      "/alerts/rules/",
      { ...wrongAtOnce, webhook },
    );
    await plain.stop();
    const sealed = await run(key);
    const client = clientV3(sealed.address, contentKey);
    await client.make("/alerts/rules/", { ...wrongAtOnce, webhook });
    const stored = await secondConnection({ dataDir, databaseUrl }).read({
      ...{ text: "SELECT webhook_secret FROM alert_rules", values: [] },
    });
    for (const row of stored)
      expect(row["webhook_secret"]).toMatch(/^sealed:1:[\w+/=]+$/);
    expect(stored).toHaveLength(2);
    await client.make(`/alerts/rules/${rule.id}/test/`, {});
    expect(receiver.requests[0]?.isSignedWith(secret)).toBe(true);
    await sealed.stop();
    await expect(run()).rejects.toThrow(/^The stored secrets are encrypted/);
  });
});

it("[V3-97] a receiver that never responds is given up after the deadline", async () => {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).resume();
  });
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  afterThisTest(async () => {
    for (const socket of sockets) socket.destroy();
    silent.close();
  });
  const { port } = silent.address() as AddressInfo;
  const sending = sendWebhook({
    ...{ url: `http://127.0.0.1:${port}/`, secret, messageId: "1", body: "{}" },
    ...{ at: 0, mayConnect: () => true, deadlineMs: 200 },
    signal: new AbortController().signal,
  });
  await expect(sending).rejects.toThrow(
    "The request failed: it did not respond in time.",
  );
});

/** The text of a mail, whatever its transfer encoding is. */
function decoded(mail: string): string {
  const at = mail.indexOf("\n\n");
  const [head, body] = [mail.slice(0, at), mail.slice(at + 2)];
  if (/^Content-Transfer-Encoding: base64$/im.test(head))
    return Buffer.from(body, "base64").toString();
  const bytes = body
    .replaceAll("=\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
