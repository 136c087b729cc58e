// Commands about takeovers: content that takes over screens until a time, or until it is ended.

import * as z from "zod";
import { Failure } from "../../core/failure.ts";
import type { SchemasV2 } from "../../client/client.ts";
import { reading, writing, type Outcome } from "../command.ts";
import { dataOf, dataOrNull, type ServiceConnection } from "../connection.ts";
import { counted, detailsText, momentText, tableText } from "../output/text.ts";
import { playerAssetNamed } from "./assets.ts";
import {
  allLabels,
  allStates,
  assetNamed,
  labelNamed,
  screensNamed,
} from "./find.ts";
import { wait } from "./input.ts";
import { sendCommand } from "./screen-commands.ts";

type PlayerTakeover = SchemasV2["Takeover"];

/** A week; a longer one is a playlist. */
const maxMinutes = 10_080;

const content = {
  text: z.string().min(1).optional().describe("Show this text in large type"),
  asset: z.string().min(1).optional().describe("Show this asset"),
  url: z
    .string()
    .min(1)
    .optional()
    .describe("Show the web page at this address"),
  minutes: z
    .int()
    .min(1)
    .max(maxMinutes)
    .optional()
    .describe("Duration in minutes. Default: until it is stopped"),
  reason: z.string().optional().describe("The reason, for the logs"),
};

const screens = {
  screen: z.array(z.string()).optional().describe("On this screen"),
  label: z.array(z.string()).optional().describe("On screens with this label"),
  all: z.boolean().optional().describe("On all screens"),
};

type Content = z.infer<z.ZodObject<typeof content>>;
type Screens = z.infer<z.ZodObject<typeof screens>>;

const start = writing({
  name: "takeover start",
  summary: "Take over screens with a message, an asset or a web page",
  input: z.object({ ...content, ...screens, wait }),
  onService: async (service, input) => {
    const named = await screensOf(service, input);
    const { text, url, reason } = input;
    const shown = contentText(input);
    const asset =
      input.asset === undefined ? null : await assetNamed(service, input.asset);
    const until = untilOf(service.serverNow(), input);
    const body = {
      kind: "takeover" as const,
      ...named.targets,
      arguments: {
        ...(text !== undefined && { text }),
        ...(url !== undefined && { url }),
        ...(asset && { asset_id: asset.id }),
        ...(until !== undefined && { until }),
        ...(reason !== undefined && { reason }),
      },
    };
    return {
      changes: [`Show ${shown} on ${named.text}, ${untilText(until)}.`],
      carryOut: () =>
        sendCommand(service, { body, names: named.names, wait: input.wait }),
    };
  },
  onPlayer: async (player, input) => {
    refuseScreens(input);
    const { text, url, reason, minutes } = input;
    const shown = contentText(input);
    const asset =
      input.asset === undefined
        ? null
        : await playerAssetNamed(player, input.asset);
    const body = {
      ...(text !== undefined && { text }),
      ...(url !== undefined && { url }),
      ...(asset && { asset_id: asset.asset_id }),
      ...(minutes !== undefined && { seconds: minutes * 60 }),
      ...(reason !== undefined && { reason }),
    };
    const until = untilOf(player.serverNow(), input);
    return {
      changes: [`Show ${shown} on this player, ${untilText(until)}.`],
      carryOut: async () =>
        playerOutcomeOf(
          await dataOf(
            player,
            // The schema leaves open which of the contents it is.
            player.client.POST("/api/v2/takeover", { body: body as never }),
          ),
        ),
    };
  },
});

const end = writing({
  name: "takeover end",
  summary: "Stop the takeover on screens",
  input: z.object({ ...screens, wait }),
  onService: async (service, input) => {
    const named = await screensOf(service, input);
    return {
      changes: [`Stop the takeover on ${named.text}.`],
      carryOut: () =>
        sendCommand(service, {
          body: { kind: "end-takeover", ...named.targets },
          ...{ names: named.names, wait: input.wait },
        }),
    };
  },
  onPlayer: async (player, input) => {
    refuseScreens(input);
    return {
      changes: ["Stop the takeover on this player."],
      carryOut: async () => {
        await dataOf(player, player.client.DELETE("/api/v2/takeover"));
        return { data: null, text: "The takeover has ended." };
      },
    };
  },
});

const list = reading({
  name: "takeover list",
  summary: "List screens with a takeover",
  input: z.object({}),
  onService: async (service) => {
    const taken = (await allStates(service)).flatMap(({ id, name, report }) => {
      const showing = report?.showing;
      if (showing?.reason !== "takeover") return [];
      const { name: shows, since, until } = showing;
      return [{ screen_id: id, screen_name: name, shows, since, until }];
    });
    const rows = taken.map((each) => [
      ...[each.screen_name, each.shows, momentText(each.since)],
      ...[momentText(each.until) || "until it is stopped", each.screen_id],
    ]);
    const text = tableText(
      ["SCREEN", "SHOWS", "SINCE", "UNTIL", "ID"],
      ...([rows, "No screen has a takeover."] as const),
    );
    return { data: taken, text };
  },
  onPlayer: async (player) => {
    const takeover = await dataOrNull(
      player,
      player.client.GET("/api/v2/takeover"),
    );
    return takeover
      ? playerOutcomeOf(takeover)
      : { data: null, text: "This player has no takeover." };
  },
});

interface NamedScreens {
  readonly targets: {
    readonly screens: string[];
    readonly groups: string[];
  };
  readonly names: ReadonlyMap<string, string>;
  /** `3 screens: A, B, C` */
  readonly text: string;
}

/** How many screens a sentence names. */
const maxNamed = 10;

async function screensOf(
  service: ServiceConnection,
  { screen = [], label = [], all }: Screens,
): Promise<NamedScreens> {
  if (screen.length + label.length === 0 && all !== true)
    throw new Failure(
      "malformed",
      "Name the screens with --screen or --label, or use --all.",
    );
  const labels = await allLabels(service);
  const groups = [
    ...label.map((name) => labelNamed(name, labels)),
    ...labels.filter(({ id }) => all === true && id === "all-screens"),
  ];
  const single = await screensNamed(service, screen);
  const names = new Map(
    [...single, ...groups.flatMap((group) => group.screens)].map((each) => [
      ...([each.id, each.name] as const),
    ]),
  );
  if (names.size === 0)
    throw new Failure("not-found", "There are no screens with these labels.");
  const first = [...names.values()].slice(0, maxNamed).join(", ");
  return {
    targets: {
      screens: single.map(({ id }) => id),
      groups: groups.map(({ id }) => id),
    },
    names,
    text: `${counted(names.size, "screen", "screens")}: ${first}${names.size > maxNamed ? ", …" : ""}`,
  };
}

function refuseScreens({ screen, label, all }: Screens): void {
  if (screen ?? label ?? all)
    throw new Failure(
      "malformed",
      "--screen, --label and --all need a content service; a player is one screen.",
    );
}

function contentText({ text, asset, url }: Content): string {
  const given = [text, asset, url].filter((each) => each !== undefined);
  const [only] = given;
  if (only === undefined || given.length > 1)
    throw new Failure(
      "malformed",
      "Set exactly one of --text, --asset and --url.",
    );
  return `"${only}"`;
}

function untilOf(now: number, { minutes }: Content): string | undefined {
  return minutes === undefined
    ? undefined
    : new Date(now + minutes * 60_000).toISOString();
}

function untilText(until: string | undefined): string {
  return until === undefined
    ? "until it is stopped"
    : `until ${momentText(until)}`;
}

function playerOutcomeOf(takeover: PlayerTakeover): Outcome {
  const { text, url, asset_id, started, until } = takeover;
  return {
    data: takeover,
    text: detailsText([
      ["Shows", text ?? url ?? asset_id ?? "nothing"],
      ["Since", momentText(started)],
      ["Until", momentText(until) || "it is stopped"],
      ["Reason", takeover.reason],
      ["Problem", takeover.error_message],
    ]),
  };
}

export const takeoverCommands = [start, end, list];
