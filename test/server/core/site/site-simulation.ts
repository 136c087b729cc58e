// Several players of a site in simulated time, each with the real reducer, and a naive model of what they have: messages take a
// random time, transfers move on step by step, and players are killed and come back.

import {
  reduceSite,
  type FollowEnd,
  type SiteEvent,
} from "../../../../server/core/site/site-reducer.ts";
import {
  newSite,
  type FileReport,
  type Site,
} from "../../../../server/core/site/site-state.ts";
import type { Random } from "../../../long/kill/random.ts";

export interface SimulatedFile {
  readonly md5: string;
  readonly sizeBytes: number;
}

export interface Behaviour {
  /** What it sends is wrong; it has all files from the start. */
  readonly lies?: boolean;
  /** It reports that it has all files, and sends hardly anything. */
  readonly trickles?: boolean;
  /** It answers every question, and refuses every transfer. */
  readonly refuses?: boolean;
}

interface Transfer {
  readonly kind: "fetch" | "follow";
  readonly from: SimulatedPlayer | null;
  readonly since: number;
  /** Its first byte has arrived. */
  hasBegun: boolean;
}

export interface SimulatedPlayer {
  readonly name: string;
  readonly behaviour: Behaviour;
  isAlive: boolean;
  id: string;
  site: Site;
  /** By MD5: bytes on its disk. */
  readonly bytes: Map<string, number>;
  /** Files with a wrong byte in the partial file. */
  readonly wrong: Set<string>;
  readonly here: Set<string>;
  readonly transfers: Map<string, Transfer>;
  readonly asking: Set<string>;
  readonly queriedAt: Map<string, number>;
}

const stepMs = 50;
const wanBytesPerStep = 64 * 1024;
const lanBytesPerStep = 1024 * 1024;
/** A player that begins to send nothing for this long is left. */
const silenceMs = 10_000;

export class SiteSimulation {
  now = 0;
  readonly players: SimulatedPlayer[] = [];
  readonly wanBytes = new Map<string, number>();
  /** Bytes fetched although a player that is alive has them. */
  needlessBytes = 0;
  readonly #random: Random;
  readonly #files: readonly SimulatedFile[];
  readonly #events: { readonly at: number; readonly act: () => void }[] = [];
  #runs = 0;

  constructor(random: Random, files: readonly SimulatedFile[]) {
    this.#random = random;
    this.#files = files;
  }

  add(name: string, behaviour: Behaviour = {}): SimulatedPlayer {
    const has = behaviour.lies === true || behaviour.trickles === true;
    const player: SimulatedPlayer = {
      ...{ name, behaviour, isAlive: false, id: "", site: newSite("") },
      ...{ bytes: new Map(), wrong: new Set(), transfers: new Map() },
      here: new Set(has ? this.#files.map(({ md5 }) => md5) : []),
      ...{ asking: new Set(), queriedAt: new Map() },
    };
    this.players.push(player);
    return player;
  }

  /** Finds the others, and is found; wants what it does not have. */
  start(player: SimulatedPlayer): void {
    this.#runs += 1;
    player.isAlive = true;
    player.id = `${player.name}-${this.#runs}`;
    player.site = newSite(player.id);
    player.asking.clear();
    player.queriedAt.clear();
    for (const other of this.players)
      if (other !== player && other.isAlive)
        for (const [one, two] of [
          [player, other],
          [other, player],
        ] as const)
          this.#dispatch(one, {
            ...{ kind: "found", peer: two.id, address: two.name },
          });
    if (player.behaviour.refuses) return;
    for (const { md5 } of this.#files)
      if (!player.here.has(md5)) {
        const bytes = player.bytes.get(md5) ?? 0;
        this.#later(() => {
          if (!player.isAlive) return;
          this.#dispatch(player, { kind: "wanted", md5, bytes });
          this.#ask(player);
        });
      }
  }

  kill(player: SimulatedPlayer): void {
    player.isAlive = false;
    player.transfers.clear();
    // What was not on the disk yet.
    for (const [md5, bytes] of player.bytes)
      player.bytes.set(md5, Math.max(0, bytes - this.#random.below(4096)));
    for (const other of this.players)
      for (const [md5, { from }] of other.transfers)
        if (from === player) this.#endFollow(other, md5, "died");
  }

  hasAll(player: SimulatedPlayer): boolean {
    return this.#files.every(({ md5 }) => player.here.has(md5));
  }

  /** Until everybody that is alive and honest has everything; throws when it takes longer. */
  run(maxMs: number): void {
    while (!this.#isDone()) {
      if (this.now > maxMs)
        throw new Error(`not done in time: ${this.#states()}`);
      this.step();
    }
  }

  step(): void {
    const end = this.now + stepMs;
    for (;;) {
      this.#events.sort((a, b) => a.at - b.at);
      const [next] = this.#events;
      if (!next || next.at > end) break;
      this.#events.shift();
      this.now = next.at;
      next.act();
    }
    this.now = end;
    for (const player of this.players)
      if (player.isAlive) {
        this.#move(player);
        this.#dispatch(player, { kind: "time-passed" });
        this.#ask(player);
      }
  }

  #isDone(): boolean {
    return this.players.every(
      (one) => !one.isAlive || one.behaviour.refuses || this.hasAll(one),
    );
  }

  #states(): string {
    return JSON.stringify(
      this.players.map(({ name, site }) => [
        name,
        [...site.files].map(([md5, file]) => [md5, file.stage, file.bytes]),
      ]),
    );
  }

  #later(act: () => void, ms = 1 + this.#random.below(40)): void {
    this.#events.push({ at: this.now + ms, act });
  }

  #dispatch(player: SimulatedPlayer, event: SiteEvent): void {
    const { site, effects } = reduceSite(player.site, event, this.now);
    player.site = site;
    for (const effect of effects) {
      const { md5 } = effect;
      if (effect.kind === "stop-following") player.transfers.delete(md5);
      else {
        const from =
          effect.kind === "follow"
            ? (this.players.find(({ id }) => id === effect.peer) ?? null)
            : null;
        const { kind } = effect;
        player.transfers.set(md5, {
          ...{ kind, from, since: this.now, hasBegun: false },
        });
      }
    }
  }

  #ask(player: SimulatedPlayer): void {
    const files = [...player.site.files]
      .filter(([, { stage }]) => stage !== "fetching")
      .map(([md5]) => md5);
    if (files.length === 0) return;
    for (const [id, { awayUntil, reports }] of player.site.peers) {
      if (player.asking.has(id) || awayUntil > this.now) continue;
      const isUnknown = files.some(
        (md5) =>
          (reports.get(md5)?.queriedAt ?? -1) <
          (player.site.files.get(md5)?.changedAt ?? 0),
      );
      if (
        !isUnknown &&
        this.now - (player.queriedAt.get(id) ?? -Infinity) < 200
      )
        continue;
      player.asking.add(id);
      player.queriedAt.set(id, this.now);
      const queriedAt = player.site.sequence;
      const run = player.id;
      this.#later(() => this.#answer(player, run, id, queriedAt, files));
    }
  }

  #answer(
    player: SimulatedPlayer,
    run: string,
    id: string,
    queriedAt: number,
    files: readonly string[],
  ): void {
    const peer = this.players.find((one) => one.isAlive && one.id === id);
    const reports = new Map(
      files.map((md5) => [md5, peer ? this.#reportOf(peer, md5) : null]),
    );
    this.#later(() => {
      if (!player.isAlive || player.id !== run) return;
      player.asking.delete(id);
      this.#dispatch(
        player,
        peer
          ? { kind: "answered", peer: id, queriedAt, reports }
          : { kind: "silent", peer: id },
      );
      this.#ask(player);
    });
  }

  #reportOf(peer: SimulatedPlayer, md5: string): FileReport | null {
    const size = this.#sizeOf(md5);
    if (peer.behaviour.refuses) return { stage: "here", bytes: size };
    const file = peer.site.files.get(md5);
    if (file) return { stage: file.stage, bytes: peer.bytes.get(md5) ?? 0 };
    return peer.here.has(md5) ? { stage: "here", bytes: size } : null;
  }

  #sizeOf(md5: string): number {
    return this.#files.find((file) => file.md5 === md5)?.sizeBytes ?? 0;
  }

  #move(player: SimulatedPlayer): void {
    for (const [md5, transfer] of player.transfers) {
      const had = player.bytes.get(md5) ?? 0;
      const size = this.#sizeOf(md5);
      const now =
        transfer.kind === "fetch"
          ? this.#fetched(player, md5, had)
          : this.#followed(player, md5, had, transfer);
      if (now === null) continue;
      player.bytes.set(md5, now);
      if (now < size) {
        if (now > had)
          this.#dispatch(player, { kind: "received", md5, bytes: now });
        continue;
      }
      player.transfers.delete(md5);
      if (player.wrong.delete(md5)) {
        player.bytes.set(md5, 0);
        this.#dispatch(player, { kind: "mismatched", md5 });
        continue;
      }
      player.here.add(md5);
      this.#dispatch(player, { kind: "dropped", md5 });
    }
  }

  #fetched(player: SimulatedPlayer, md5: string, had: number): number {
    const now = Math.min(this.#sizeOf(md5), had + wanBytesPerStep);
    this.wanBytes.set(md5, (this.wanBytes.get(md5) ?? 0) + now - had);
    const isElsewhere = this.players.some(
      (other) =>
        other !== player &&
        other.isAlive &&
        !other.behaviour.lies &&
        !other.behaviour.trickles &&
        (other.here.has(md5) || (other.bytes.get(md5) ?? 0) >= now),
    );
    if (isElsewhere) this.needlessBytes += now - had;
    return now;
  }

  /** Null: it has ended. */
  #followed(
    player: SimulatedPlayer,
    md5: string,
    had: number,
    transfer: Transfer,
  ): number | null {
    const { from } = transfer;
    if (!from?.isAlive) {
      this.#endFollow(player, md5, "died");
      return null;
    }
    if (from.behaviour.refuses) {
      this.#endFollow(player, md5, "refused");
      return null;
    }
    const there = from.here.has(md5)
      ? this.#sizeOf(md5)
      : (from.bytes.get(md5) ?? 0);
    const now = from.behaviour.trickles
      ? had + 1
      : Math.max(had, Math.min(there, had + lanBytesPerStep));
    if (now > had && !transfer.hasBegun) {
      transfer.hasBegun = true;
      this.#dispatch(player, { kind: "began", md5 });
      this.#dispatch(player, { kind: "gave", md5 });
    }
    if (from.behaviour.trickles) return now;
    if (now > had && (from.behaviour.lies || from.wrong.has(md5)))
      player.wrong.add(md5);
    if (!transfer.hasBegun && this.now - transfer.since > silenceMs) {
      this.#endFollow(player, md5, "died");
      return null;
    }
    if (now === had && !from.transfers.has(md5) && !from.here.has(md5)) {
      this.#endFollow(player, md5, "ended");
      return null;
    }
    return now;
  }

  #endFollow(player: SimulatedPlayer, md5: string, reason: FollowEnd): void {
    player.transfers.delete(md5);
    if (!player.isAlive) return;
    const bytes = player.bytes.get(md5) ?? 0;
    this.#dispatch(player, { kind: "received", md5, bytes });
    this.#dispatch(player, { kind: "follow-ended", md5, reason });
  }
}
