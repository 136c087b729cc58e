// Explains what a screen shows and what is due on it at a moment.

import { Failure } from "../../core/failure.ts";
import type { SchemasV3 } from "../../client/client.ts";
import type { Outcome } from "../command.ts";
import { dataOf, type ServiceConnection } from "../connection.ts";
import {
  detailsText,
  durationText,
  momentText,
  tableText,
} from "../output/text.ts";
import { screenNamed, type ScreenState } from "./find.ts";

type Schedule = SchemasV3["ScreenSchedule"];
type Candidate = Schedule["candidates"][number];

export async function whyScreen(
  service: ServiceConnection,
  input: { readonly screen: string; readonly at?: string | undefined },
): Promise<Outcome> {
  const { at } = input;
  if (at !== undefined && Number.isNaN(Date.parse(at)))
    throw new Failure(
      "malformed",
      `--at must be a date and time such as 2026-05-01T10:00+02:00; got "${at}".`,
    );
  const screen = await screenNamed(service, input.screen);
  const schedule = await dataOf(
    service,
    service.client.GET("/screens/{id}/schedule/", {
      params: {
        path: { id: screen.id },
        query: at === undefined ? {} : { at: new Date(at).toISOString() },
      },
    }),
  );
  // What the screen reports is about now, not about another moment.
  const now = at === undefined ? nowOf(screen) : null;
  const candidates = schedule.candidates.map((each) => ({
    ...each,
    explanation: reasonText(each),
  }));
  return {
    data: {
      screen: { id: screen.id, name: screen.name },
      now,
      ...schedule,
      candidates,
    },
    text: [
      ...(now ? [nowText(screen)] : []),
      dueText(schedule),
      candidatesText(schedule),
    ].join("\n\n"),
  };
}

function nowOf({ state, state_since, reason, report }: ScreenState) {
  return { state, state_since, reason, showing: report?.showing ?? null };
}

function nowText({ name, state, reason, report }: ScreenState): string {
  const showing = report?.showing;
  return detailsText([
    ["Screen", name],
    ["State", state],
    ["Reason", reason],
    ["Shows", showing?.name ?? "not reported"],
    ["Why", showing?.explanation ?? null],
    ["Until", momentText(showing?.until)],
  ]);
}

function dueText({ time, is_enabled, due, until }: Schedule): string {
  const heading = `Due at ${momentText(time)}${until ? `, until ${momentText(until)}` : ""}:`;
  const dark = is_enabled ? [] : ["This screen is disabled and stays dark."];
  const rows = due.map(({ name, playlist, duration }) => [
    ...[name, playlist?.title ?? "", durationText(duration)],
  ]);
  const table = tableText(
    ["ASSET", "PLAYLIST", "DURATION"],
    rows,
    "Nothing is due.",
  );
  return [heading, ...dark, table].join("\n");
}

function candidatesText({ candidates }: Schedule): string {
  const rows = candidates.map((each) => [
    each.kind === "playlist" ? each.name : `  ${each.name}`,
    reasonText(each),
  ]);
  return tableText(["PLAYLIST", "REASON"], rows, "There are no playlists.");
}

/** Why it plays, or doesn't. */
function reasonText({ reason }: Candidate): string {
  const { code, name, priority, part, labels, items } = reason;
  switch (code) {
    case "plays":
      return "It plays.";
    case "outranked":
      return `Overridden by "${name ?? ""}", which has priority ${priority ?? 0}.`;
    case "predicate-false":
      return `Its schedule rule does not apply: ${part ?? ""}`;
    case "disabled":
      return "It is disabled.";
    case "other-groups":
      return `Only for screens with ${(labels ?? []).join(", ")}.`;
    case "not-on-disk":
      return "Its file is not ready yet.";
    case "quarantined":
      return "It could not be processed.";
    case "playlist-empty":
      return items ? `None of its ${items} items can play.` : "It is empty.";
    case "outside-dates":
      return "It is outside its dates.";
    case "outside-hours":
      return "It is outside its hours.";
  }
}
