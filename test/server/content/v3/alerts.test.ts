// Alert rules and incidents of version 3 over real sockets, with a real receiver of webhooks and a real mail server, on both databases.

import { createHmac } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import {
  alertIncidentV3,
  alertMessage,
  alertRuleV3,
  alertTestV3,
  type AlertIncidentV3,
  type AlertRuleV3,
} from "../../../../server/contract/v3/v3-alerts.ts";
import { startReceiver } from "../../../support/content/alert-receiver.ts";
import { eachV3, type ClientV3 } from "../../../support/content/each-v3.ts";
import { claimedPlayer } from "../../../support/content/linked-player.ts";
import { reportOf } from "../../../support/content/screen-reports.ts";

const blank = reportOf({ verdict: "blank" });
const secret = "a secret of the receiver";
const wrongAtOnce = { name: "Wrong", states: ["wrong"], after_seconds: 0 };

const makeRule = async (
  client: ClientV3,
  fields: object = {},
): Promise<AlertRuleV3> =>
  alertRuleV3.parse(
    await client.make("/alerts/rules/", { ...wrongAtOnce, ...fields }),
  );

const incidentsOf = async (
  client: ClientV3,
  query = "",
): Promise<readonly AlertIncidentV3[]> =>
  alertIncidentV3.array().parse(await client.get(`/alerts/incidents/${query}`));

const incidentWhere = (
  client: ClientV3,
  isIt: (incident: AlertIncidentV3) => boolean,
): Promise<AlertIncidentV3> =>
  vi.waitUntil(async () => (await incidentsOf(client)).find(isIt), {
    interval: 20,
  });

eachV3(
  (service) => {
    describe("rules", () => {
      it("[V3-90] are created with defaults, read, changed and deleted", async () => {
        const client = await service.client();
        const group = await client.make("/groups/", { name: "Lobby" });
        const rule = await makeRule(client, {
          ...{ after_seconds: undefined, states: ["offline", "never-seen"] },
          groups: [{ id: group.id }, { id: "all-screens" }],
          quiet_hours: {
            ...{ from: "22:00", until: "06:00", timezone: "Europe/Berlin" },
          },
        });
        expect(rule).toEqual({
          ...{ id: rule.id, name: "Wrong", is_enabled: true },
          ...{ states: ["offline", "never-seen"], after_seconds: 300 },
          groups: [
            { id: group.id, name: "Lobby" },
            { id: "all-screens", name: "All Screens" },
          ],
          ...{ webhook: null, emails: [] },
          quiet_hours: {
            ...{ from: "22:00", until: "06:00", timezone: "Europe/Berlin" },
          },
          created_at: rule.created_at,
        });
        const path = `/alerts/rules/${rule.id}/`;
        expect(await client.get(path)).toEqual(rule);
        expect(await client.get("/alerts/rules/")).toEqual([rule]);
        const same = await client.call("PUT", path, rule);
        expect([same.status, same.json]).toEqual([200, rule]);
        const changed = await client.call("PATCH", path, {
          ...{ name: "Night", quiet_hours: null, is_enabled: "false" },
        });
        expect(changed.json).toEqual({
          ...{ ...rule, name: "Night", quiet_hours: null, is_enabled: false },
        });
        const other = await service.client();
        for (const method of ["GET", "PATCH", "DELETE"])
          expect((await other.call(method, path)).status).toBe(404);
        expect((await other.call("POST", `${path}test/`)).status).toBe(404);
        expect(await other.get("/alerts/rules/")).toEqual([]);
        expect((await client.call("DELETE", path)).status).toBe(200);
        expect((await client.call("GET", path)).status).toBe(404);
      });

      it.each<[string, string, unknown]>([
        ["name", "name is required", { name: undefined }],
        ["name", "name must not be blank", { name: " " }],
        ["states", "states is required", { states: undefined }],
        ["states", "states must have at least 1 element", { states: [] }],
        [
          "states",
          'states[1] must be one of wrong, incomplete, offline, never-seen; got "right"',
          { states: ["wrong", "right"] },
        ],
        [
          "after_seconds",
          "after_seconds must be a whole number from 0 to 604800; got -1",
          { after_seconds: -1 },
        ],
        ["groups", "groups must be an array of objects; got 7", { groups: 7 }],
        [
          "groups",
          'There is no group with the id "nothing".',
          { groups: [{ id: "nothing" }] },
        ],
        [
          "webhook",
          "webhook must be an object with url and secret, or null",
          { webhook: "http://example.org" },
        ],
        [
          "webhook",
          "webhook.url must be an http or https address",
          { webhook: { url: "ftp://example.org", secret } },
        ],
        [
          "webhook",
          "webhook.url must be an http or https address",
          { webhook: { url: "http://[::1", secret } },
        ],
        [
          "webhook",
          "webhook.url must not contain a user name or password",
          { webhook: { url: "http://me:it@example.org/", secret } },
        ],
        [
          "webhook",
          "webhook.secret is required",
          { webhook: { url: "http://example.org/" } },
        ],
        [
          "webhook",
          "webhook.secret must be text of 16 to 200 characters",
          { webhook: { url: "http://example.org/", secret: "short" } },
        ],
        [
          "emails",
          'emails[0] must be an email address such as ops@example.org; got "ops"',
          { emails: ["ops"] },
        ],
        [
          "emails",
          "emails must have at most 10 elements",
          { emails: Array.from({ length: 11 }, (_, at) => `a${at}@b.example`) },
        ],
        [
          "emails",
          "emails must be empty: this service has no mail server. Set --smtp-url and --smtp-from.",
          { emails: ["ops@example.org"] },
        ],
        [
          "quiet_hours",
          'quiet_hours.from must be a time of day such as 22:00; got "24:00"',
          { quiet_hours: { from: "24:00", until: "06:00", timezone: "UTC" } },
        ],
        [
          "quiet_hours",
          "quiet_hours.until must differ from quiet_hours.from",
          { quiet_hours: { from: "06:00", until: "06:00", timezone: "UTC" } },
        ],
        [
          "quiet_hours",
          'quiet_hours.timezone must be an IANA time zone such as Europe/Berlin; got "+02:00"',
          { quiet_hours: { from: "6:00", until: "x", timezone: "+02:00" } },
        ],
      ])("[V3-90] rejects a wrong %s: %s", async (field, sentence, fields) => {
        const client = await service.client();
        const isOfZone = sentence.includes(".timezone");
        const body = {
          ...{ ...wrongAtOnce, ...(fields as object) },
          ...(isOfZone && {
            quiet_hours: { from: "06:00", until: "07:00", timezone: "+02:00" },
          }),
        };
        const answer = await client.call("POST", "/alerts/rules/", body);
        expect([answer.status, answer.json]).toEqual([
          ...[400, { [field]: [sentence] }],
        ]);
        expect(await client.get("/alerts/rules/")).toEqual([]);
      });

      it("[V3-91] never return the secret, and keep it while it is omitted", async () => {
        const client = await service.client();
        const receiver = await startReceiver();
        const webhook = { url: receiver.address, secret };
        const rule = await makeRule(client, { webhook });
        expect(rule.webhook).toEqual({
          ...{ url: receiver.address, has_secret: true },
        });
        const path = `/alerts/rules/${rule.id}/`;
        const moved = { webhook: { url: `${receiver.address}moved` } };
        const changed = await client.call("PATCH", path, moved);
        expect(changed.status).toBe(200);
        expect(changed.text).not.toContain(secret);
        await client.make(`${path}test/`, {});
        const [request] = receiver.requests;
        expect(request?.url).toBe("/moved");
        expect(request?.isSignedWith(secret)).toBe(true);
      });

      it("[V3-92] are tested: every target receives a message, and the results are returned", async () => {
        const client = await service.client();
        const receiver = await startReceiver();
        const rule = await makeRule(client, {
          webhook: { url: receiver.address, secret },
        });
        const path = `/alerts/rules/${rule.id}/test/`;
        expect(alertTestV3.parse(await client.make(path, {}))).toEqual({
          results: [
            {
              ...{ target: "webhook", address: receiver.address },
              ...{ is_sent: true },
              result: "The server responded with status 204.",
            },
          ],
        });
        const message = alertMessage.parse(receiver.requests[0]?.json);
        expect(message).toMatchObject({
          ...{ type: "test", rule: { id: rule.id, name: "Wrong" } },
          opened: { count: 0, incidents: [] },
        });
        receiver.answerWith((response) =>
          response.writeHead(302, { Location: receiver.address }).end(),
        );
        expect(await client.make(path, {})).toMatchObject({
          results: [
            {
              is_sent: false,
              result:
                "The server redirected the request (status 302). Redirects are not followed.",
            },
          ],
        });
        expect(receiver.requests).toHaveLength(2);
        const silent = await makeRule(client);
        expect(
          await client.make(`/alerts/rules/${silent.id}/test/`, {}),
        ).toEqual({ results: [] });
      });

      it("[V3-90] are at most a hundred for each team", async () => {
        const client = await service.client();
        for (let made = 0; made < 100; made += 1) await makeRule(client);
        const answer = await client.call("POST", "/alerts/rules/", wrongAtOnce);
        expect([answer.status, answer.json]).toEqual([
          409,
          { detail: "A team can have at most 100 alert rules." },
        ]);
      });
    });

    describe("incidents", () => {
      it("[V3-93] [V3-96] a screen that fails sends one signed message, and one when it is over", async () => {
        const client = await service.client();
        const receiver = await startReceiver();
        const rule = await makeRule(client, {
          webhook: { url: receiver.address, secret },
        });
        const player = await claimedPlayer(client, "Lobby");
        await player.beat({ report: blank });
        const first = await receiver.nextMessage();
        const opened = await incidentWhere(
          client,
          ({ messages }) => messages[0]?.state === "sent",
        );
        expect(opened).toMatchObject({
          ...{ rule_id: rule.id, rule_name: "Wrong", state: "wrong" },
          ...{ screen_id: player.screenId, screen_name: "Lobby" },
          reason: "The screen is blank instead of showing “Menu”.",
          ...{ ended_at: null, end_cause: null, acknowledged_at: null },
        });
        expect(opened.messages).toEqual([
          {
            ...{ message_id: first.json.id, event: "opened", tries: 1 },
            ...{ is_digest: false, target: "webhook", state: "sent" },
            address: receiver.address,
            ...{ created_at: first.json.created_at },
            tried_at: expect.any(String) as string,
            result: "The server responded with status 204.",
          },
        ]);
        expect(first.method).toBe("POST");
        expect(first.isSignedWith(secret)).toBe(true);
        expect(first.isSignedWith("another secret")).toBe(false);
        expect(first.headers["idempotency-key"]).toBe(first.json.id);
        expect(alertMessage.parse(first.json)).toEqual({
          ...{ id: first.json.id, type: "incident.opened" },
          created_at: first.json.created_at,
          rule: { id: rule.id, name: "Wrong" },
          opened: {
            count: 1,
            incidents: [
              {
                id: opened.id,
                screen: { id: player.screenId, name: "Lobby" },
                ...{ state: "wrong", reason: opened.reason },
                ...{ since: opened.since, opened_at: opened.opened_at },
                ...{ ended_at: null, end_cause: null },
              },
            ],
          },
          ended: { count: 0, incidents: [] },
        });
        await player.beat({ report: reportOf() });
        const second = await receiver.nextMessage();
        expect(second.json).toMatchObject({
          ...{ type: "incident.ended", opened: { count: 0 } },
          ended: {
            count: 1,
            incidents: [{ id: opened.id, end_cause: "recovered" }],
          },
        });
        const over = await incidentWhere(
          client,
          ({ messages }) => messages[1]?.state === "sent",
        );
        expect(over.messages.map(({ event }) => event)).toEqual([
          ...["opened", "ended"],
        ]);
        expect(await incidentsOf(client, "?is_open=true")).toEqual([]);
        expect(await incidentsOf(client, "?is_open=false")).toEqual([over]);
        expect(await incidentsOf(client, `?rule=${rule.id}`)).toEqual([over]);
        expect(await incidentsOf(client, "?screen=other")).toEqual([]);
        expect(receiver.requests).toHaveLength(2);
      });

      it("[V3-93] concern only screens with the rule's groups, and end when a screen leaves or is deleted", async () => {
        const client = await service.client();
        const [inside, outside] = [
          await claimedPlayer(client, "Inside"),
          await claimedPlayer(client, "Outside"),
        ];
        const group = await client.make("/groups/", {
          ...{ name: "Lobby", screens: [{ id: inside.screenId }] },
        });
        await makeRule(client, { groups: [{ id: group.id }] });
        const own = await makeRule(client, {
          ...{ name: "One screen", groups: [{ id: outside.screenId }] },
        });
        await outside.beat({ report: blank });
        await inside.beat({ report: blank });
        await vi.waitFor(async () =>
          expect(await incidentsOf(client)).toHaveLength(2),
        );
        const found = await incidentsOf(client);
        expect(
          new Set(
            found.map(({ rule_name, screen_name }) =>
              [rule_name, screen_name].join(),
            ),
          ),
        ).toEqual(new Set(["Wrong,Inside", "One screen,Outside"]));
        await client.call("DELETE", `/groups/${group.id}/`);
        await client.call("DELETE", `/screens/${outside.screenId}/`);
        await vi.waitFor(async () => {
          const ended = await incidentsOf(client, "?is_open=false");
          expect(ended.map(({ end_cause }) => end_cause)).toEqual([
            ...["excluded", "excluded"],
          ]);
        });
        // A deleted group does not make the rule one about all screens.
        await inside.beat({ report: blank });
        const marker = await makeRule(client, { name: "All" });
        await incidentWhere(client, ({ rule_id }) => rule_id === marker.id);
        expect(await incidentsOf(client, "?is_open=true")).toHaveLength(1);
        const rules = (await client.get("/alerts/rules/")) as AlertRuleV3[];
        expect(rules[0]?.groups).toEqual([{ id: group.id, name: null }]);
        expect(rules[1]).toEqual({
          ...{ ...own, groups: [{ id: outside.screenId, name: null }] },
        });
      });

      it("[V3-93] a screen that never connected is one, too", async () => {
        const client = await service.client();
        await makeRule(client, { states: ["never-seen"] });
        const player = await claimedPlayer(client, "New");
        const incident = await incidentWhere(client, () => true);
        expect(incident).toMatchObject({
          ...{ state: "never-seen", screen_name: "New" },
          reason: "The player has not connected yet.",
        });
        await player.beat({ report: reportOf() });
        await incidentWhere(
          client,
          ({ end_cause }) => end_cause === "recovered",
        );
      });

      it("[V3-95] acknowledged, by whom and when; the message that is still retried is canceled", async () => {
        const client = await service.client();
        const receiver = await startReceiver();
        receiver.answerWith((response) => response.writeHead(503).end());
        const rule = await makeRule(client, {
          webhook: { url: receiver.address, secret },
        });
        const player = await claimedPlayer(client, "Lobby");
        await player.beat({ report: blank });
        const failed = await incidentWhere(
          client,
          ({ messages }) => (messages[0]?.tries ?? 0) > 1,
        );
        const path = `/alerts/incidents/${failed.id}/`;
        const other = await service.client();
        for (const [method, at] of [
          ["GET", path],
          ["POST", `${path}acknowledge/`],
        ] as const)
          expect((await other.call(method, at)).status).toBe(404);
        const done = alertIncidentV3.parse(
          await client.make(`${path}acknowledge/`, {}),
        );
        expect(done).toMatchObject({
          acknowledged_by: "test",
          messages: [
            {
              state: "canceled",
              result: "The incident was acknowledged.",
            },
          ],
        });
        const again = await client.make(`${path}acknowledge/`, {});
        expect(again.acknowledged_at).toBe(done.acknowledged_at);
        receiver.answerWith((response) => response.writeHead(204).end());
        const before = receiver.requests.length;
        await player.beat({ report: reportOf() });
        await incidentWhere(
          client,
          ({ messages }) => messages[1]?.state === "sent",
        );
        expect(
          receiver.requests.slice(before).map(({ json }) => json.type),
        ).toEqual(["incident.ended"]);
        const late = await client.call("POST", `${path}acknowledge/`);
        expect([late.status, late.json]).toEqual([
          ...[409, { detail: "This incident has already ended." }],
        ]);
        expect(await client.get(path)).toMatchObject({ rule_id: rule.id });
      });

      it("[V3-93] of a rule that is disabled end without a message; with the rule they are deleted", async () => {
        const client = await service.client();
        const receiver = await startReceiver();
        const rule = await makeRule(client, {
          webhook: { url: receiver.address, secret },
        });
        const player = await claimedPlayer(client);
        await player.beat({ report: blank });
        await receiver.nextMessage();
        const path = `/alerts/rules/${rule.id}/`;
        await client.call("PATCH", path, { is_enabled: false });
        expect(await incidentsOf(client)).toMatchObject([
          { end_cause: "excluded", messages: [{ event: "opened" }] },
        ]);
        expect(receiver.requests).toHaveLength(1);
        await client.call("DELETE", path);
        expect(await incidentsOf(client)).toEqual([]);
      });

      it("[V3-94] in quiet hours nothing is sent, and at their end one digest", async () => {
        const client = await service.client();
        const receiver = await startReceiver();
        const around = (hours: number) =>
          new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
        const rule = await makeRule(client, {
          webhook: { url: receiver.address, secret },
          quiet_hours: {
            ...{ from: around(-2), until: around(2), timezone: "UTC" },
          },
        });
        const players = [
          await claimedPlayer(client, "A"),
          await claimedPlayer(client, "B"),
          await claimedPlayer(client, "C"),
        ];
        for (const player of players) await player.beat({ report: blank });
        await vi.waitFor(async () =>
          expect(await incidentsOf(client)).toHaveLength(3),
        );
        await players[2]?.beat({ report: reportOf() });
        await incidentWhere(client, ({ ended_at }) => ended_at !== null);
        expect(receiver.requests).toEqual([]);
        const path = `/alerts/rules/${rule.id}/`;
        await client.call("PATCH", path, { quiet_hours: null });
        const { json } = await receiver.nextMessage();
        expect(json).toMatchObject({
          ...{ type: "digest", opened: { count: 2 }, ended: { count: 0 } },
        });
        expect(receiver.requests).toHaveLength(1);
      });

      it("[V3-94] more than five at once are one digest", async () => {
        const client = await service.client();
        const receiver = await startReceiver();
        const players = [];
        for (const name of ["A", "B", "C", "D", "E", "F"])
          players.push(await claimedPlayer(client, name));
        for (const player of players) await player.beat({ report: blank });
        await makeRule(client, { webhook: { url: receiver.address, secret } });
        const { json } = await receiver.nextMessage();
        expect(json).toMatchObject({ type: "digest", opened: { count: 6 } });
        const incidents = await incidentsOf(client);
        expect(
          incidents.map(({ messages }) => messages[0]?.message_id),
        ).toEqual(incidents.map(() => json.id));
        expect(receiver.requests).toHaveLength(1);
      });

      it.each(["is_open=maybe", "since=today", "until=", "rule=", "screen="])(
        "[V3-93] rejects ?%s",
        async (query) => {
          const client = await service.client();
          const answer = await client.call(
            "GET",
            `/alerts/incidents/?${query}`,
          );
          expect([answer.status, Object.keys(answer.json as object)]).toEqual([
            ...[400, [query.replace(/=.*/, "")]],
          ]);
        },
      );
    });

    it("[V3-97] the signature is an HMAC of the time and the body, as the guide shows", async () => {
      const client = await service.client();
      const receiver = await startReceiver();
      const rule = await makeRule(client, {
        webhook: { url: receiver.address, secret },
      });
      await client.make(`/alerts/rules/${rule.id}/test/`, {});
      const [request] = receiver.requests;
      const header = String(request?.headers["x-vitrine-signature"]);
      const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header) ?? [];
      const expected = createHmac("sha256", secret)
        .update(`${time}.${request?.body}`)
        .digest("hex");
      expect(mac).toBe(expected);
    });
  },
  { alertCheckMs: 50, alertPauseMs: 20 },
);
