// Commands about screens: what they show and why, their labels, their latest screenshot, and commands for them.

import * as z from "zod";
import { Failure } from "../../core/failure.ts";
import { commandKinds } from "../../contract/link/link.ts";
import { screenStates } from "../../contract/link/screen-report.ts";
import { reading, writing, type Outcome } from "../command.ts";
import { dataOf } from "../connection.ts";
import { counted, detailsText, momentText, tableText } from "../output/text.ts";
import {
  allLabels,
  allStates,
  assetNamed,
  labelNamed,
  screenNamed,
  screensNamed,
  type ScreenState,
} from "./find.ts";
import { hasText, limit, screen, wait } from "./input.ts";
import { sendCommand } from "./screen-commands.ts";
import { whyScreen } from "./screen-why.ts";

const list = reading({
  name: "screens list",
  summary: "List screens with their state and what they show",
  input: z.object({
    label: z.string().optional().describe("Only screens with this label"),
    state: z
      .array(z.enum(screenStates))
      .optional()
      .describe("Only screens in this state"),
    search: z
      .string()
      .optional()
      .describe("Only screens with this text in their name or location"),
    limit,
  }),
  onService: async (service, input) => {
    const { label, state, limit: most } = input;
    const labels = label === undefined ? [] : await allLabels(service);
    const only = label === undefined ? null : labelNamed(label, labels);
    const ids = only && new Set(only.screens.map(({ id }) => id));
    const states = await allStates(service, state ? { state } : {});
    const found = states.filter(
      ({ id, name, location }) =>
        (ids === null || ids.has(id)) &&
        (hasText(name, input.search) || hasText(location, input.search)),
    );
    return listed(found, most);
  },
});

function listed(
  screens: readonly ScreenState[],
  most: number | undefined,
): Outcome {
  const shown = screens.slice(0, most);
  const rows = shown.map((each) => [
    ...[each.name, each.state, momentText(each.state_since)],
    each.report?.showing?.name ?? "",
    each.groups.map(({ name }) => name).join(", "),
    each.id,
  ]);
  const table = tableText(
    ["NAME", "STATE", "SINCE", "SHOWS", "LABELS", "ID"],
    rows,
    "No screens match.",
  );
  return {
    ...{ data: shown.map(summaryOf), total: screens.length },
    text: table + restText(screens, shown),
  };
}

export function restText(
  all: readonly unknown[],
  shown: readonly unknown[],
): string {
  return all.length > shown.length
    ? `\n${shown.length} of ${all.length}. Raise --limit to see more.`
    : "";
}

/** What an operator wants to know of each of many screens. */
function summaryOf({ report, groups, ...screen }: ScreenState) {
  const { id, name, location, state, state_since, reason, last_ping } = screen;
  return {
    ...{ id, name, location, labels: groups.map((group) => group.name) },
    ...{ state, state_since, reason, last_ping },
    showing: report?.showing ?? null,
    next: report?.next ?? null,
  };
}

const show = reading({
  name: "screens show",
  summary: "Show all details of a screen",
  input: z.object({ screen }),
  positions: ["screen"],
  onService: async (service, input) => {
    const state = await screenNamed(service, input.screen);
    const screen = await dataOf(
      service,
      service.client.GET("/screens/{id}/", {
        params: { path: { id: state.id } },
      }),
    );
    return { data: { ...screen, ...state }, text: screenText(state, screen) };
  },
});

function screenText(
  state: ScreenState,
  screen: { readonly local_ip: string; readonly hardware_version: string },
): string {
  const { report, item_counts: items } = state;
  const showing = report?.showing;
  return detailsText([
    ["Name", state.name],
    ["ID", state.id],
    ["State", `${state.state} since ${momentText(state.state_since)}`],
    ["Reason", state.reason],
    ["Shows", showing?.name ?? null],
    ["Why", showing?.explanation ?? null],
    ["Playlist", showing?.playlist ?? null],
    ["Until", momentText(showing?.until)],
    ["Next", report?.next ?? null],
    ["Labels", state.groups.map(({ name }) => name).join(", ")],
    ["Location", state.location],
    ["Time zone", state.timezone],
    [
      "Items",
      items && `${items.here} of ${items.wanted}, ${items.failed} failed`,
    ],
    [
      "Missing",
      report?.missing
        .map(({ name, reason }) => `${name}: ${reason}`)
        .join("; ") ?? null,
    ],
    ["Last seen", momentText(state.last_ping)],
    ["Screenshot", momentText(state.screenshot?.taken_at)],
    ["Software", state.software_version],
    ["Hardware", screen.hardware_version],
    ["Address", screen.local_ip],
  ]);
}

const why = reading({
  name: "screens why",
  summary:
    "Explain why a screen shows what it shows, or what is due at a given time",
  input: z.object({
    screen,
    at: z
      .string()
      .optional()
      .describe("A date and time such as 2026-05-01T10:00+02:00. Default: now"),
  }),
  positions: ["screen"],
  onService: (service, input) => whyScreen(service, input),
});

const labels = writing({
  name: "screens labels",
  summary: "Show the labels of screens, or add and remove some",
  input: z.object({
    screens: z.array(screen).min(1).max(10_000).describe("The screens"),
    add: z.array(z.string()).optional().describe("Add this label"),
    remove: z.array(z.string()).optional().describe("Remove this label"),
  }),
  positions: ["screens"],
  onService: async (service, { screens: words, add = [], remove = [] }) => {
    const screens = await screensNamed(service, words);
    const all = await allLabels(service);
    const idsOf = (names: readonly string[]): string[] =>
      names.map((name) => labelNamed(name, all).id);
    const [addIds, removeIds] = [idsOf(add), idsOf(remove)];
    const ids = screens.map(({ id }) => id);
    const of = counted(ids.length, "screen", "screens");
    return {
      changes: [
        ...add.map((name) => `Add the label "${name}" to ${of}.`),
        ...remove.map((name) => `Remove the label "${name}" from ${of}.`),
      ],
      carryOut: async () => {
        if (addIds.length + removeIds.length > 0)
          await dataOf(
            service,
            service.client.POST("/screens/assignments/", {
              body: {
                ...{ screens: ids, add_groups: addIds },
                remove_groups: removeIds,
              },
            }),
          );
        return labelsOf(await screensNamed(service, ids));
      },
    };
  },
});

function labelsOf(screens: readonly ScreenState[]): Outcome {
  const data = screens.map(({ id, name, groups }) => ({
    ...{ id, name, labels: groups.map((group) => group.name) },
  }));
  const rows = data.map(({ name, labels }) => [name, labels.join(", ")]);
  return { data, text: tableText(["NAME", "LABELS"], rows, "No screens.") };
}

const screenshot = reading({
  name: "screens screenshot",
  summary: "Get the latest screenshot of a screen",
  input: z.object({ screen }),
  positions: ["screen"],
  hasFile: true,
  onService: async (service, input) => {
    const { id, name, screenshot } = await screenNamed(service, input.screen);
    if (screenshot === null)
      throw new Failure(
        "not-found",
        `There is no screenshot of ${name} yet. Request one with "screens command ${id} screenshot".`,
      );
    const { taken_at, url } = screenshot;
    return {
      data: { screen_id: id, name, taken_at, url },
      text: detailsText([
        ["Screen", name],
        ["Taken", momentText(taken_at)],
        ["Address", url],
      ]),
      file: () => service.download(url, maxPictureBytes),
    };
  },
});

/** As many as a player may send (L-13). */
const maxPictureBytes = 8 * 1024 * 1024;

/** These have commands of their own. */
const kinds = commandKinds.filter(
  (kind) => kind !== "takeover" && kind !== "end-takeover",
);

const command = writing({
  name: "screens command",
  summary: "Send a command to a screen",
  input: z.object({
    screen,
    kind: z.enum(kinds).describe("The command"),
    asset: z
      .string()
      .optional()
      .describe("The asset to show, with the command show"),
    wait,
  }),
  positions: ["screen", "kind"],
  onService: async (service, { kind, wait, ...input }) => {
    if ((kind === "show") !== (input.asset !== undefined))
      throw new Failure(
        "malformed",
        "--asset names the asset of the command show, and is needed only there.",
      );
    const { id, name } = await screenNamed(service, input.screen);
    const asset =
      input.asset === undefined ? null : await assetNamed(service, input.asset);
    const what = asset ? `${kind} "${asset.title}"` : kind;
    return {
      changes: [`Send the command ${what} to the screen "${name}".`],
      carryOut: () =>
        sendCommand(service, {
          body: {
            ...{ kind, screens: [id] },
            ...(asset && { arguments: { asset_id: asset.id } }),
          },
          names: new Map([[id, name]]),
          wait,
        }),
    };
  },
});

export const screenCommands = [list, show, why, labels, screenshot, command];
