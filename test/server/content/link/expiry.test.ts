// Expiry on the link: PINs, unclaimed players, undelivered commands, and remembered wrong guesses.

import { describe, expect, it } from "vitest";
import { createNews } from "../../../../server/content/link/news.ts";
import { createHeartbeats } from "../../../../server/content/link/heartbeats.ts";
import {
  orderCommands,
  shownCommandState,
} from "../../../../server/content/link/screen-commands.ts";
import type { HeartbeatLink } from "../../../../server/contract/link/link.ts";
import {
  createPlayers,
  isPinValid,
} from "../../../../server/content/link/pairing.ts";
import { createWaits } from "../../../../server/content/link/long-polls.ts";
import { addTeam } from "../../../../server/content/access/teams.ts";
import { createPinGuesses } from "../../../../server/content/v3/screens/pin-guesses.ts";
import {
  eachDatabase,
  makeUlid,
  type AnyDatabase,
} from "../../../support/database/each-database.ts";
import { temporaryFolder } from "../../../support/folder.ts";
import { registerPlayer } from "../../../support/content/linked-player.ts";
import { sql, statementOf } from "../../../../server/content/sql.ts";
import { startContent } from "../../../support/content/start-content.ts";

const minuteMs = 60_000;

/** Time advances when told to. */
async function linkOn(any: AnyDatabase, maxUnclaimed?: number) {
  const database = await any.open();
  const clock = { moment: Date.UTC(2026, 0, 1) };
  const now = (): number => clock.moment;
  const makeId = (): string => makeUlid(now());
  const team = makeId();
  const labelId = makeId();
  await addTeam(database.kysely, {
    ...{ id: team, name: "Team", labelId, moment: now() },
  });
  const options = { database, makeId, now };
  const heartbeats = createHeartbeats({ ...options, offlineAfterMs: 120_000 });
  const beat = (screenId: string, body: Partial<HeartbeatLink>) =>
    heartbeats.note(screenId, "192.0.2.1", { sync: "in-sync", ...body });
  const commandStates = async (): Promise<readonly unknown[]> => {
    const shown = sql`SELECT ${shownCommandState(now())} AS shown FROM screen_commands ORDER BY id`;
    const rows = await database.read(statementOf(shown, database.kind));
    return rows.map((row) => row["shown"]);
  };
  const orderAll = async (screenIds: readonly string[]): Promise<void> => {
    const action = makeId();
    await database.write((run) =>
      orderCommands((of) => run(statementOf(of, database.kind)), makeId, {
        ...{ id: action, teamId: team, screenIds, kind: "look" },
        ...{ arguments: {}, issuedBy: "test", createdAt: now() },
        expiresAt: now() + 10 * minuteMs,
      }),
    );
  };
  const order = async (screenId: string): Promise<string> => {
    const id = makeId();
    await database.write((run) =>
      orderCommands(
        (of) => run(statementOf(of, database.kind)),
        () => id,
        {
          ...{ id, teamId: team, screenIds: [screenId], kind: "reboot" },
          ...{ arguments: {}, issuedBy: "test", createdAt: now() },
          expiresAt: now() + 10 * minuteMs,
        },
      ),
    );
    return id;
  };
  return {
    ...{ clock, team, players: createPlayers({ ...options, maxUnclaimed }) },
    ...{ database, order, orderAll, beat, commandStates },
    ...{ news: createNews(options), guesses: createPinGuesses(options) },
  };
}

eachDatabase((any) => {
  it("[L-2] [L-4] [V3-40] a PIN is valid for a quarter of an hour, and a new one is valid again", async () => {
    const { clock, team, players } = await linkOn(any);
    const { id, pin, endsAt } = await players.register({});
    expect(endsAt - clock.moment).toBe(15 * minuteMs);
    clock.moment = endsAt;
    expect(await players.claim(pin, team, null)).toBeNull();
    const again = await players.renewPin(id);
    clock.moment = again.endsAt - 1;
    expect(await players.claim(again.pin, team, null)).not.toBeNull();
    expect(await players.claim(again.pin, team, null)).toBeNull();
  });

  it("[L-31] unclaimed players are limited in number; those with an expired PIN make space for others", async () => {
    const { clock, team, players } = await linkOn(any, 2);
    const [first, claimed] = [
      await players.register({}),
      await players.register({}),
    ];
    await players.claim(claimed.pin, team, null);
    const second = await players.register({});
    await expect(players.register({})).rejects.toThrow(
      /^The limit of 2 players/,
    );
    clock.moment = first.endsAt;
    const third = await players.register({});
    expect(await players.find(first.credential)).toBeNull();
    expect(await players.find(third.credential)).not.toBeNull();
    expect(await players.screenOf(claimed.credential)).toMatchObject({
      teamId: team,
    });
    expect(second.endsAt).toBe(first.endsAt);
  });

  it("[L-1] an unclaimed player is deleted an hour after its PIN; a claimed one stays", async () => {
    const { clock, team, players } = await linkOn(any);
    const [waiting, claimed] = [
      await players.register({}),
      await players.register({}),
    ];
    await players.claim(claimed.pin, team, null);
    clock.moment = waiting.endsAt + 60 * minuteMs - 1;
    await players.forgetUnclaimed();
    expect(await players.find(waiting.credential)).not.toBeNull();
    clock.moment += 1;
    await players.forgetUnclaimed();
    expect(await players.find(waiting.credential)).toBeNull();
    expect(await players.screenOf(claimed.credential)).toMatchObject({
      teamId: team,
    });
  });

  it("[L-11] a command that was not delivered within ten minutes is not sent any more", async () => {
    const { clock, team, players, news, order } = await linkOn(any);
    const { pin } = await players.register({});
    const screen = (await players.claim(pin, team, null))?.screenId ?? "";
    const id = await order(screen);
    clock.moment += 10 * minuteMs - 1;
    expect((await news.pending(screen)).commands).toMatchObject([{ id }]);
    clock.moment += 1;
    expect((await news.pending(screen)).commands).toEqual([]);
  });

  it("[V3-82] one action reaches a thousand and one screens, or none when one of them was deleted meanwhile", async () => {
    const { database, orderAll, commandStates, team } = await linkOn(any);
    const screens = Array.from({ length: 1001 }, () => makeUlid(0));
    for (let from = 0; from < screens.length; from += 500)
      await database.kysely
        .insertInto("screens")
        .values(
          screens
            .slice(from, from + 500)
            .map((id) => ({ id, team_id: team, created_at: 0 })) as never,
        )
        .execute();
    await expect(orderAll([...screens, makeUlid(0)])).rejects.toThrow();
    expect(await commandStates()).toEqual([]);
    await orderAll(screens);
    expect(await commandStates()).toHaveLength(1001);
  });

  it("[L-42] a command without a result has expired, received or not; a late result counts, and the first one only", async () => {
    const { clock, order, beat, commandStates, players, team } =
      await linkOn(any);
    const { pin } = await players.register({});
    const screen = (await players.claim(pin, team, null))?.screenId ?? "";
    const ids = [await order(screen), await order(screen), await order(screen)];
    const [, second = "", third = ""] = ids;
    await beat(screen, { received: [second, third] });
    clock.moment += 10 * minuteMs - 1;
    expect(await commandStates()).toEqual(["waiting", "received", "received"]);
    clock.moment += 1;
    expect(await commandStates()).toEqual(["expired", "expired", "expired"]);
    const result = (is_done: boolean) => ({ done: [{ id: third, is_done }] });
    await beat(screen, result(true));
    await beat(screen, result(false));
    expect(await commandStates()).toEqual(["expired", "expired", "done"]);
  });

  it("[L-42] commands are kept with their results for seven days, and no longer when the clock was set back since", async () => {
    const { clock, order, news, commandStates, players, team } =
      await linkOn(any);
    const { pin } = await players.register({});
    const screen = (await players.claim(pin, team, null))?.screenId ?? "";
    const weekMs = 7 * 24 * 60 * minuteMs;
    await order(screen);
    clock.moment += weekMs - 1;
    await news.deleteOldCommands();
    expect(await commandStates()).toHaveLength(1);
    clock.moment += 1;
    await news.deleteOldCommands();
    expect(await commandStates()).toEqual([]);
    await order(screen);
    clock.moment -= weekMs;
    await news.deleteOldCommands();
    expect(await commandStates()).toEqual(["expired"]);
    clock.moment -= 1;
    await news.deleteOldCommands();
    expect(await commandStates()).toEqual([]);
  });

  it("[L-37] after the clock was set back by hours a PIN has expired, commands are dropped, and wrong PINs are counted anew", async () => {
    const { clock, team, players, news, order, commandStates, guesses } =
      await linkOn(any, 2);
    const claimed = await players.register({});
    const screen = await players.claim(claimed.pin, team, null);
    const screenId = screen?.screenId ?? "";
    await order(screenId);
    for (let count = 0; count < 30; count += 1) await guesses.count("key");
    const waiting = await players.register({});
    const second = await players.register({});
    // A correction of a few seconds changes nothing.
    clock.moment -= 5_000;
    expect(isPinValid(waiting.endsAt, clock.moment)).toBe(true);
    expect((await news.pending(screenId)).commands).toHaveLength(1);
    await expect(guesses.count("key")).rejects.toThrow(
      /More than 30 wrong PINs/,
    );
    expect(await players.claim(second.pin, team, null)).not.toBeNull();

    clock.moment -= 2 * 60 * minuteMs;
    expect(isPinValid(waiting.endsAt, clock.moment)).toBe(false);
    expect(await players.claim(waiting.pin, team, null)).toBeNull();
    expect((await news.pending(screenId)).commands).toEqual([]);
    expect(await commandStates()).toEqual(["expired"]);
    await guesses.count("key");
    const renewed = await players.renewPin(waiting.id);
    expect(await players.claim(renewed.pin, team, null)).not.toBeNull();
  });

  it("[L-37] [L-31] players with a PIN from before the clock was set back make space for others, and are deleted in time", async () => {
    const { clock, players } = await linkOn(any, 1);
    const before = await players.register({});
    clock.moment -= 2 * minuteMs;
    const next = await players.register({});
    expect(await players.find(before.credential)).toBeNull();
    clock.moment -= 2 * 60 * minuteMs;
    await players.forgetUnclaimed();
    expect(await players.find(next.credential)).toBeNull();
  });

  it("[V3-42] wrong PINs are forgotten after a quarter of an hour", async () => {
    const { clock, guesses } = await linkOn(any);
    for (let count = 0; count < 30; count += 1) await guesses.count("key");
    await expect(guesses.count("key")).rejects.toThrow(
      /More than 30 wrong PINs/,
    );
    await guesses.count("other");
    clock.moment += 15 * minuteMs;
    await guesses.count("key");
  });
});

describe("waiting on the link", () => {
  it("[L-31] is limited to one connection per player: a new wait ends the one before", async () => {
    const { address } = await startContent(await temporaryFolder());
    const player = await registerPlayer(address);
    const wait = () => player.request("GET", "/link/v1/player?wait=50");
    let answered = 0;
    const waits = Array.from({ length: 12 }, async () => {
      const { status } = await wait();
      answered += 1;
      return status;
    });
    await expect.poll(() => answered).toBe(11);
    // The remaining one ends with the next.
    const last = player.request("GET", "/link/v1/player?wait=0.2");
    expect(await Promise.all(waits)).toEqual(Array<number>(12).fill(200));
    expect((await last).status).toBe(200);
  });

  it("[L-31] is limited for unclaimed players, further per address; claimed ones have slots of their own", () => {
    const waits = createWaits({
      ...{ claimed: 2, unclaimed: 3, unclaimedOfAddress: 2 },
    });
    const begin = (playerId: string, address: string, isClaimed = false) =>
      waits.begin({ playerId, address, isClaimed });
    const first = begin("a", "192.0.2.1");
    expect(begin("b", "::ffff:192.0.2.1")).not.toBeNull();
    expect(begin("c", "192.0.2.1")).toBeNull();
    expect(begin("d", "192.0.2.2")).not.toBeNull();
    expect(begin("e", "192.0.2.3")).toBeNull();
    expect(begin("f", "192.0.2.1", true)).not.toBeNull();
    expect(begin("g", "192.0.2.1", true)).not.toBeNull();
    expect(begin("h", "192.0.2.9", true)).toBeNull();
    const again = begin("a", "192.0.2.1");
    expect(first?.replaced.aborted).toBe(true);
    first?.end();
    expect(begin("c", "192.0.2.1")).toBeNull();
    again?.end();
    expect(begin("c", "192.0.2.1")).not.toBeNull();
  });
});

describe("guessing on the link", () => {
  it("[L-1] [L-16] is limited to sixty players and fifty wrong credentials per address, then 429 for a while", async () => {
    const { address } = await startContent(await temporaryFolder());
    const statuses = async (
      count: number,
      request: () => Promise<Response>,
    ) => {
      const seen: number[] = [];
      for (let at = 0; at < count; at += 1) {
        const answer = await request();
        await answer.text();
        seen.push(answer.status);
        if (answer.status === 429)
          expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      }
      return seen;
    };
    const registered = await statuses(62, () =>
      fetch(`${address}/link/v1/players`, { method: "POST" }),
    );
    expect(registered).toEqual([...Array<number>(60).fill(201), 429, 429]);
    const wrong = await statuses(52, () =>
      fetch(`${address}/link/v1/news`, {
        headers: { Authorization: "Bearer vitrine-screen-x" },
      }),
    );
    expect(wrong).toEqual([...Array<number>(50).fill(401), 429, 429]);
  });
});
